# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/unit/stats/test_adjust.c \
	tests/unit/stats/test_beta.c \
	tests/unit/stats/test_counts.c \
	tests/unit/stats/test_coverage.c \
	tests/unit/stats/test_runs.c
UNIT_SUPPORT_stats += tests/unit/stats/oracle.c
