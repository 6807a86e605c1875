# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/firmware/calls/test_call_sites.c tests/unit/firmware/calls/test_code_map.c \
	tests/unit/firmware/calls/test_fingerprint.c tests/unit/firmware/calls/test_thumb_table.c tests/unit/firmware/calls/test_riscv.c \
	tests/unit/firmware/calls/test_scan.c tests/unit/firmware/calls/test_thumb.c tests/unit/firmware/calls/test_x86.c
UNIT_SUPPORT_firmware/calls += tests/unit/firmware/calls/code.c tests/unit/firmware/elf_writer.c tests/unit/firmware/workshop.c
