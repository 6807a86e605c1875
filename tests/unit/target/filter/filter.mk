# SPDX-License-Identifier: MIT
# The recorder with filtered slices, in the arena of the tests without.
UNIT_TESTS += tests/unit/target/filter/test_filter.c
UNIT_SUPPORT_target/filter := tests/unit/target/filter/arena.c
UNIT_LIBRARIES_target/filter = build/target/native-$1+stacks+filter/libbareprof.a
