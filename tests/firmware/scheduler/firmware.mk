# A preemptive scheduler whose tasks begin with an exit handler as return address, as those of an RTOS do.
FIRMWARE_SOURCES := $(wildcard tests/firmware/scheduler/*.c tests/firmware/scheduler/*.S) target/rtos/freertos.c
FIRMWARE_FLAGS := -Itests/firmware/scheduler -Itests/firmware/tasks -DBAREPROF_CONTEXTS=5
FIRMWARE_WITH := contexts
