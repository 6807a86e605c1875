# The demo's work after a cold start, with RAM that must not be read before it is written.
FIRMWARE_SOURCES := $(filter-out tests/firmware/demo/main.c,$(wildcard tests/firmware/demo/*.c tests/firmware/cold/*.c))
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
