# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/base/test_status.c
UNIT_TESTS += tests/unit/base/test_search.c
