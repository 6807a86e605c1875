# tests/firmware/rtos with fewer contexts than tasks.
FIRMWARE_SOURCES := $(wildcard tests/firmware/rtos/*.c) $(wildcard tests/firmware/scheduler/port*.c tests/firmware/scheduler/port*.S)
FIRMWARE_FLAGS := -Itests/firmware/rtos -Itests/firmware/scheduler -Itests/firmware/tasks -DBAREPROF_CONTEXTS=5
FIRMWARE_WITH := contexts
