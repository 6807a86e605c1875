# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/profile/test_filters.c
