# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/diff/test_compare.c
UNIT_SUPPORT_diff += tests/unit/diff/builds.c tests/unit/profile/firmware.c
