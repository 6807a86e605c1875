# The work of a sensor station: see main.c.
FIRMWARE_SOURCES := $(wildcard tests/firmware/demo/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
