# Two tasks and an interrupt, each a context of its own, that call the same functions.
FIRMWARE_SOURCES := $(wildcard tests/firmware/tasks/*.c)
FIRMWARE_FLAGS := -Itests/firmware/tasks -DBAREPROF_CONTEXTS=4
FIRMWARE_WITH := contexts
