# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/model/test_filters.c
