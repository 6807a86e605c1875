# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/gprof/test_columns.c tests/unit/gprof/test_order.c
