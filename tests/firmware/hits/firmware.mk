# Calls and ticks that find their slot at once, and polls of a link that nobody uses, for counting the recorder's instructions.
FIRMWARE_SOURCES := tests/firmware/mtimer.c tests/firmware/hits/hits.c
FIRMWARE_FLAGS :=
