# SPDX-License-Identifier: MIT
# The target's end of the link, in a variant of the native port for fuzzing.
FUZZ_TARGETS += tests/fuzz/fuzz_link.c
FUZZ_SUPPORT_link := tests/unit/target/link/wire.c
FUZZ_LIBRARIES_link := build/target/native-fuzz/libbareprof.a
