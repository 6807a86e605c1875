# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/calls/test_call_sites.c tests/unit/calls/test_code_map.c \
	tests/unit/calls/test_fingerprint.c tests/unit/calls/test_jump_tables.c tests/unit/calls/test_riscv.c \
	tests/unit/calls/test_scan.c tests/unit/calls/test_thumb.c tests/unit/calls/test_x86.c
UNIT_SUPPORT_calls += tests/unit/calls/code.c tests/unit/image/elf_writer.c tests/unit/image/workshop.c
