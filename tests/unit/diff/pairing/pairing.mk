# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/diff/pairing/test_hostile.c tests/unit/diff/pairing/test_names.c tests/unit/diff/pairing/test_pairing.c
UNIT_SUPPORT_diff/pairing += tests/unit/firmware/elf_writer.c tests/unit/firmware/workshop.c tests/unit/diff/pairing/pairs.c
