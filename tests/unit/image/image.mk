# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/image/test_divide.c tests/unit/image/test_dwarf.c tests/unit/image/test_elf.c tests/unit/image/test_functions.c tests/unit/image/test_identity.c \
	tests/unit/image/test_inlines.c tests/unit/image/test_instrumentation.c tests/unit/image/test_line_tables.c tests/unit/image/test_lines.c \
	tests/unit/image/test_names.c tests/unit/image/test_outline.c tests/unit/image/test_stretches.c tests/unit/image/test_synthetic.c
UNIT_SUPPORT_image += tests/unit/image/elf_writer.c tests/unit/image/line_writer.c \
	tests/unit/image/workshop.c
