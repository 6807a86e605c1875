# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/compare/test_compare.c
UNIT_SUPPORT_compare += tests/unit/compare/builds.c tests/unit/analysis/firmware.c
