# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/report/test_source.c
