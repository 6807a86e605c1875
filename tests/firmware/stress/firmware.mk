# Calls under two nested interrupts, checked against the firmware's own counts. Each sampling interrupt passes through
# the firmware. work_ISA.S is empty for any other ISA.
FIRMWARE_SOURCES := $(wildcard tests/firmware/stress/*.c tests/firmware/stress/*.S)
FIRMWARE_FLAGS :=
FIRMWARE_LINK_FLAGS := -Wl,--wrap=bareprof_tick
