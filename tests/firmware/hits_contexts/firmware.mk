# The same with contexts.
FIRMWARE_SOURCES := tests/firmware/hits/hits.c
FIRMWARE_FLAGS := -DBAREPROF_CONTEXTS=2
FIRMWARE_WITH := contexts
