# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/profile/samples/,test_gmon.c test_handler.c test_owners.c test_regions.c test_samples.c test_sharing.c)
UNIT_SUPPORT_profile/samples += $(PROFILE_FIXTURES)
