# Warm resets between ticks that are timed.
FIRMWARE_SOURCES := tests/firmware/mtimer.c $(wildcard tests/firmware/warm/*.c)
FIRMWARE_FLAGS :=
