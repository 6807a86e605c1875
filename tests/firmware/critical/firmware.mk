# The demo with critical sections: it masks interrupts whenever it computes a CRC.
FIRMWARE_SOURCES := tests/firmware/mtimer.c $(wildcard tests/firmware/demo/*.c tests/firmware/critical/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
FIRMWARE_LINK_FLAGS := -Wl,--wrap=crc32
