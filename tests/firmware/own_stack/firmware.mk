# A program that keeps its own call stack, for the test of the plugin tests/qemu/shadow.c: see main.c. Build it with +hooks.
FIRMWARE_SOURCES := $(wildcard tests/firmware/own_stack/*.c tests/firmware/own_stack/*.S) \
	$(filter-out %/main.c,$(wildcard tests/firmware/scheduler/*.c tests/firmware/scheduler/*.S))
FIRMWARE_FLAGS := -Itests/firmware/own_stack -Itests/firmware/scheduler -DBAREPROF_CONTEXTS=5
FIRMWARE_WITH := contexts
