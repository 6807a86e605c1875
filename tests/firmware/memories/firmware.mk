# Functions in flash and one in RAM, sampled by the library's own timer port.
# Vendors' linker scripts also put such functions into .data, which makes a segment that can be written and executed.
FIRMWARE_SOURCES := $(wildcard tests/firmware/memories/*.c) tests/firmware/ports/sampling.c
FIRMWARE_LINK_FLAGS := -Wl,--no-warn-rwx-segments
