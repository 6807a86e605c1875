# Floating point in thread mode and in an interrupt: see main.c.
FIRMWARE_SOURCES := $(wildcard tests/firmware/fpu/*.c tests/firmware/fpu/*.S)
FIRMWARE_FLAGS := -Itests/firmware/fpu
