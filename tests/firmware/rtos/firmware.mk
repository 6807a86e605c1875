# A small preemptive RTOS, with the parts of tests/firmware/scheduler/ that begin and switch tasks, and tasks that use all of it.
FIRMWARE_SOURCES := $(wildcard tests/firmware/rtos/*.c) $(wildcard tests/firmware/scheduler/port*.c tests/firmware/scheduler/port*.S) target/rtos/freertos.c
FIRMWARE_FLAGS := -Itests/firmware/rtos -Itests/firmware/scheduler -Itests/firmware/tasks -DBAREPROF_CONTEXTS=9
FIRMWARE_WITH := contexts
