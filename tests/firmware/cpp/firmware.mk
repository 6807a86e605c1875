# C++, counting its own calls. No inlining: members and lambdas are inline by declaration.
FIRMWARE_SOURCES := $(wildcard tests/firmware/cpp/*.cpp tests/firmware/calls/*.c)
FIRMWARE_FLAGS := -Itests/firmware/calls -DCOUNT_CALLS -DCALL_COUNTS=128u -fno-inline
