# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/firmware/unwind/test_,epilogues.c leaves.c rows.c subroutines.c unwind.c)
UNIT_SUPPORT_firmware/unwind += $(addprefix tests/unit/firmware/,elf_writer.c line_writer.c unwind/stacks.c workshop.c)
