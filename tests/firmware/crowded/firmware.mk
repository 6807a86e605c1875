# The demo, recorded from a start that calls some functions once each, as that of a larger firmware does. So later calls of
# the demo find a table that is partly filled.
FIRMWARE_SOURCES := $(wildcard tests/firmware/demo/*.c) tests/firmware/crowded/crowd.c
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls -DSAMPLING_START=crowded_sampling_start
