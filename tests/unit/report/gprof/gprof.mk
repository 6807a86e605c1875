# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/report/gprof/test_layout.c tests/unit/report/gprof/test_order.c
