FUZZ_TARGETS += tests/fuzz/fuzz_gdb.c
