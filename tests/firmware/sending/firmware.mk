# The demo's work, and then the block as frames into a file of the debugger's.
FIRMWARE_SOURCES := $(filter-out tests/firmware/demo/main.c,$(wildcard tests/firmware/demo/*.c tests/firmware/sending/*.c))
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls
