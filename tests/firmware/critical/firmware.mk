# The demo with critical sections: it masks interrupts whenever it computes a CRC.
FIRMWARE_SOURCES := $(wildcard tests/firmware/demo/*.c tests/firmware/critical/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
FIRMWARE_LINK_FLAGS := -Wl,--wrap=crc32
