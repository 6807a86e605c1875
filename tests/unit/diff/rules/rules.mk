# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/diff/rules/test_,files.c judge.c patterns.c rules.c)
UNIT_SUPPORT_diff/rules += tests/unit/diff/rules/builds.c
