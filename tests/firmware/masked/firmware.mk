# Sections with interrupts masked, for ticks that are merged.
FIRMWARE_SOURCES := $(wildcard tests/firmware/masked/*.c)
FIRMWARE_FLAGS :=
