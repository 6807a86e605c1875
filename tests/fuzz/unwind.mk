# SPDX-License-Identifier: MIT
FUZZ_TARGETS += tests/fuzz/fuzz_unwind.c
