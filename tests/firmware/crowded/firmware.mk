# The demo, recorded from a start on that calls each of some functions once, as the start of a firmware with more parts does.
# So the calls that the demo goes on to make find a table that is filled in part.
FIRMWARE_SOURCES := $(wildcard tests/firmware/demo/*.c) tests/firmware/crowded/crowd.c
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls -DSAMPLING_START=crowded_sampling_start
