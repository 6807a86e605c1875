# Two tasks and an interrupt, each a context of its own, that call the same functions. No two functions share a granule, so
# that each sample belongs to one function and can be compared with instructions.
FIRMWARE_SOURCES := tests/firmware/mtimer.c $(wildcard tests/firmware/tasks/*.c)
FIRMWARE_FLAGS := -Itests/firmware/tasks -DBAREPROF_CONTEXTS=4 -falign-functions=16
FIRMWARE_WITH := contexts
