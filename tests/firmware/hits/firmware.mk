# Calls and ticks that find their slot at once, for counting the recorder's instructions.
FIRMWARE_SOURCES := $(wildcard tests/firmware/hits/*.c)
FIRMWARE_FLAGS :=
