# SPDX-License-Identifier: MIT
# The recorder with slices, in the arena of the tests without.
UNIT_TESTS += $(addprefix tests/unit/library/stacks/test_,reservoir.c slices.c)
UNIT_SUPPORT_library/stacks := tests/unit/library/stacks/arena.c tests/unit/library/stacks/stacks.c
UNIT_LIBRARIES_library/stacks = build/target/native-$1+stacks/libbareprof.a
