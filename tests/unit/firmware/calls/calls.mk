# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/firmware/calls/test_, \
	call_sites.c code_map.c decoders.c fingerprint.c scan.c thumb_table.c)
UNIT_SUPPORT_firmware/calls += tests/unit/firmware/calls/code.c $(wildcard tests/unit/firmware/calls/*_cases.c) \
	tests/unit/firmware/elf_writer.c tests/unit/firmware/workshop.c
