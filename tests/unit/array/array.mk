# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/array/test_search.c
