# SPDX-License-Identifier: MIT
UNIT_TESTS += \
	tests/unit/base/stats/test_adjust.c \
	tests/unit/base/stats/test_beta.c \
	tests/unit/base/stats/test_counts.c \
	tests/unit/base/stats/test_coverage.c \
	tests/unit/base/stats/test_runs.c
UNIT_SUPPORT_base/stats += tests/unit/base/stats/oracle.c
