# The demo's work on top of a block full of garbage.
FIRMWARE_SOURCES := $(filter-out tests/firmware/demo/main.c,$(wildcard tests/firmware/demo/*.c tests/firmware/early/*.c))
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
