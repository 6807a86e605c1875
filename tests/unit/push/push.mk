# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/push/, test_labels.c test_send.c)
