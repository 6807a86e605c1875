# The demo on a deep stack: slices of it are long.
FIRMWARE_SOURCES := tests/firmware/mtimer.c $(wildcard tests/firmware/demo/*.c tests/firmware/deep/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
FIRMWARE_LINK_FLAGS := -Wl,--wrap=run_round
