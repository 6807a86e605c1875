# Work in newlib, for Arm: see main.c. The library comes first on the command line, so what is needed of it is named; the
# board's memory functions are not used then.
FIRMWARE_SOURCES := $(wildcard tests/firmware/newlib/*.c) tests/firmware/soft_float/soft.c
FIRMWARE_FLAGS := -Itests/firmware/newlib -Itests/firmware/soft_float
FIRMWARE_LINK_FLAGS := -Wl,--no-warn-rwx-segments -Wl,--allow-multiple-definition \
	$(addprefix -u ,snprintf strtod qsort setjmp longjmp sin strlen memcmp) -lm -lc
