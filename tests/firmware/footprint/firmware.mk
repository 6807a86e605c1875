# All that the recorder offers, linked, with the least else. Macros: ARCS, and GRANULES with COARSE, BINS or WIDE_BINS;
# LINK, the size of its frames, links the link.
FIRMWARE_SOURCES := $(wildcard tests/firmware/footprint/*.c)
FIRMWARE_FLAGS :=
