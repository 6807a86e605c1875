# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/gate/test_,files.c judge.c patterns.c rules.c)
UNIT_SUPPORT_gate += tests/unit/gate/builds.c
