# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/output/test_columns.c tests/unit/output/test_order.c
