# The demo, counting its own calls. Without the link, for which the smallest board has no room left.
FIRMWARE_SOURCES := tests/firmware/mtimer.c $(wildcard tests/firmware/demo/*.c tests/firmware/calls/*.c)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls -DCOUNT_CALLS -DROUNDS=60 -DLINK=0
