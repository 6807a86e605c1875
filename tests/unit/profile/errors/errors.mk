# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/profile/errors/,test_errors.c test_poisson.c)
UNIT_SUPPORT_profile/errors += $(PROFILE_FIXTURES)
