# Code in both security states, for mps2-an505 and mps2-an505-ns: see main.c.
FIRMWARE_SOURCES := $(wildcard tests/firmware/trustzone/*.c tests/firmware/trustzone/*.S) tests/firmware/fpu/call_on_stack.S
FIRMWARE_FLAGS := -Itests/firmware/trustzone -Itests/firmware/fpu
