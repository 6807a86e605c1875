# The demo in an ELF with a wrong entry point, a function that code calls: linkers choose one if they find no entry symbol.
FIRMWARE_SOURCES := $(wildcard tests/firmware/demo/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
FIRMWARE_LINK_FLAGS := -Wl,--entry=run_round
