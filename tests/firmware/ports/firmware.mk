# The demo, sampled by the library's own timer port.
FIRMWARE_SOURCES := $(wildcard tests/firmware/demo/*.c tests/firmware/ports/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls -DSAMPLING_START=port_sampling_start
