# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/profile/analysis/,test_by_context.c test_parts.c)
UNIT_SUPPORT_profile/analysis += $(PROFILE_FIXTURES)
