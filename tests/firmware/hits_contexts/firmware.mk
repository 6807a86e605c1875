# The same with contexts.
FIRMWARE_SOURCES := $(wildcard tests/firmware/hits/*.c)
FIRMWARE_FLAGS := -DBAREPROF_CONTEXTS=2
FIRMWARE_WITH := contexts
