# What a sensor station does all day: see main.c.
FIRMWARE_SOURCES := $(wildcard tests/firmware/demo/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
