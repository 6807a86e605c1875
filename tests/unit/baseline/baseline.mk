# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/baseline/test_,find.c keep.c)
UNIT_SUPPORT_baseline += tests/unit/baseline/shelf.c
