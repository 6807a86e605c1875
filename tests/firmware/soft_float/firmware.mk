# Work in the compiler's library: see main.c.
FIRMWARE_SOURCES := tests/firmware/soft_float/main.c tests/firmware/soft_float/soft.c
FIRMWARE_FLAGS := -Itests/firmware/soft_float
