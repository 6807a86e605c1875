# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/report/, test_measured.c test_source.c test_stack_warnings.c)
UNIT_SUPPORT_report += tests/unit/profile/firmware.c tests/unit/profile/measured.c
