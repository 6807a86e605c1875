# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/firmware/test_compilation.c tests/unit/firmware/test_divide.c tests/unit/firmware/test_dwarf.c tests/unit/firmware/test_elf.c tests/unit/firmware/test_functions.c tests/unit/firmware/test_identity.c \
	tests/unit/firmware/test_inlines.c tests/unit/firmware/test_instrumentation.c tests/unit/firmware/test_line_tables.c tests/unit/firmware/test_lines.c \
	tests/unit/firmware/test_names.c tests/unit/firmware/test_recorder.c tests/unit/firmware/test_regions.c tests/unit/firmware/test_split_inlined.c tests/unit/firmware/test_extents.c tests/unit/firmware/test_synthetic.c
UNIT_SUPPORT_firmware += tests/unit/firmware/elf_writer.c tests/unit/firmware/line_writer.c \
	tests/unit/firmware/workshop.c
