# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/profile/calls/,test_arcs.c test_break_cycles.c test_cycles.c test_solve_cycles.c test_static_arcs.c)
UNIT_SUPPORT_profile/calls += $(PROFILE_FIXTURES)
