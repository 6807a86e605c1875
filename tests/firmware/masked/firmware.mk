# Sections with interrupts masked, for ticks that are merged.
FIRMWARE_SOURCES := tests/firmware/mtimer.c $(wildcard tests/firmware/masked/*.c)
FIRMWARE_FLAGS :=
