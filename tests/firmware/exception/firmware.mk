# Exceptions while the sampling interrupt is the only trap handler, as mtvec in direct mode has it.
FIRMWARE_SOURCES := $(wildcard tests/firmware/exception/*.c)
FIRMWARE_FLAGS :=
