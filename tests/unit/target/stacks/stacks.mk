# SPDX-License-Identifier: MIT
# The recorder with slices, in the arena of the tests without.
UNIT_TESTS += $(addprefix tests/unit/target/stacks/test_,reservoir.c slices.c)
UNIT_SUPPORT_target/stacks := tests/unit/target/stacks/arena.c tests/unit/target/stacks/stacks.c
UNIT_LIBRARIES_target/stacks = build/target/native-$1+stacks/libbareprof.a
