# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/output/test_source.c
