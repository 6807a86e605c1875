# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/stats/test_beta.c
UNIT_SUPPORT_stats += tests/unit/stats/oracle.c
