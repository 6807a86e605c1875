# The demo's main loop around a matrix test and a list sort, inlined as GCC chooses: at -O3 it inlines global functions that
# it calls at -O2 and -Os, and their symbols stay. tests/diff/ compares these builds.
FIRMWARE_SOURCES := tests/firmware/demo/main.c $(wildcard tests/firmware/inlining/*.c tests/firmware/ports/*.c)
FIRMWARE_FLAGS := -Itests/firmware/inlining -Itests/firmware/demo -Itests/firmware/calls -DSAMPLING_START=port_sampling_start \
	-finline-functions -finline-small-functions -finline-functions-called-once -fpartial-inlining
