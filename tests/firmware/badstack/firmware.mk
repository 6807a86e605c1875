# Stack pointers that lead nowhere, under a sampling interrupt that keeps slices: see badstack.c.
FIRMWARE_SOURCES := tests/firmware/badstack/badstack.c tests/firmware/badstack/guard.c
FIRMWARE_FLAGS := -Itests/firmware/badstack -DBAREPROF_STACK_BYTES=64
FIRMWARE_WITH := stacks
