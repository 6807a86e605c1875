# tests/firmware/rtos with fewer contexts than tasks.
include tests/firmware/rtos/firmware.mk
FIRMWARE_FLAGS := $(patsubst -DBAREPROF_CONTEXTS=%,-DBAREPROF_CONTEXTS=5,$(FIRMWARE_FLAGS))
