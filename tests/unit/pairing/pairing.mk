# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/pairing/test_hostile.c tests/unit/pairing/test_names.c tests/unit/pairing/test_pairing.c
UNIT_SUPPORT_pairing += tests/unit/image/elf_writer.c tests/unit/image/workshop.c tests/unit/pairing/pairs.c
