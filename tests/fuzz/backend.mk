# SPDX-License-Identifier: MIT
FUZZ_TARGETS += tests/fuzz/fuzz_gdb.c tests/fuzz/fuzz_servers.c
