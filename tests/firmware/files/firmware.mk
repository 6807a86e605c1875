# A small file system in RAM: many short functions, calls through a table of operations, code for errors that never occur.
FIRMWARE_SOURCES := tests/firmware/mtimer.c $(wildcard tests/firmware/files/*.c)
FIRMWARE_FLAGS := -Itests/firmware/files
