# The stress firmware with contexts: the sampling interrupt calls under one of its own.
FIRMWARE_SOURCES := $(wildcard tests/firmware/stress/*.c tests/firmware/stress/*.S)
FIRMWARE_FLAGS := -DBAREPROF_CONTEXTS=2
FIRMWARE_LINK_FLAGS := -Wl,--wrap=bareprof_tick
FIRMWARE_WITH := contexts
