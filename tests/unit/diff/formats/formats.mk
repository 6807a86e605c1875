# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/diff/formats/test_format.c
