# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/report/gprof/test_columns.c tests/unit/report/gprof/test_order.c
