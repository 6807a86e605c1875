# SPDX-License-Identifier: MIT
FUZZ_TARGETS += tests/fuzz/fuzz_callers.c
FUZZ_LIBRARIES_callers := build/target/native-fuzz/libbareprof.a
