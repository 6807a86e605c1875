# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/diff/baseline/test_,find.c keep.c)
UNIT_SUPPORT_diff/baseline += tests/unit/diff/baseline/shelf.c
