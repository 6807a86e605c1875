# A state machine whose hot functions share granules with cold ones, literal pools and jump tables. Functions stay in the
# order of the source, one directly after the other.
FIRMWARE_SOURCES := $(wildcard tests/firmware/states/*.c) tests/firmware/ports/sampling.c
FIRMWARE_FLAGS := -Itests/firmware/states -fno-align-functions -fno-toplevel-reorder -fno-reorder-functions
