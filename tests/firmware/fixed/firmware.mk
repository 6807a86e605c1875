# The demo, sampled at fixed distances, which shows what dither prevents.
FIRMWARE_SOURCES := $(wildcard tests/firmware/demo/*.c tests/firmware/fixed/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls -DSAMPLING_START=fixed_sampling_start
