# The demo with constants among its code, as linker scripts place them that put .text and .rodata into one section.
SCATTERED_LAST := $(addprefix tests/firmware/demo/,selftest.c sort.c station.c)
FIRMWARE_SOURCES := $(filter-out $(SCATTERED_LAST),$(wildcard tests/firmware/demo/*.c)) tests/firmware/scattered/constants.S \
	$(SCATTERED_LAST)
FIRMWARE_FLAGS := -Itests/firmware/demo -Itests/firmware/calls -DCONSTANTS=100000
