# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/profile/stacks/,test_measure.c test_stack_lengths.c test_stacks.c)
UNIT_SUPPORT_profile/stacks += $(PROFILE_FIXTURES)
