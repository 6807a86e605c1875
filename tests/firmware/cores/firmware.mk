# Two cores at once in the same functions, each with a profile of its own. For boards that can start their second core.
FIRMWARE_SOURCES := $(wildcard tests/firmware/cores/*.c)
FIRMWARE_FLAGS := -DBAREPROF_CORES=2
FIRMWARE_WITH := cores
