# Exceptions while the sampling interrupt is the only trap handler, with mtvec in direct mode.
FIRMWARE_SOURCES := $(wildcard tests/firmware/exception/*.c)
FIRMWARE_FLAGS :=
