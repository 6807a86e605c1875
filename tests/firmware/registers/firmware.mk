# Registers and stack after the compilers' hooks. call_ISA.S is empty for any other ISA.
FIRMWARE_SOURCES := $(wildcard tests/firmware/registers/*.c tests/firmware/registers/*.S)
FIRMWARE_FLAGS :=
