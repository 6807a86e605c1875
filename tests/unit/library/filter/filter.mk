# SPDX-License-Identifier: MIT
# The recorder with filtered slices, in the arena of the tests without.
UNIT_TESTS += tests/unit/library/filter/test_filter.c
UNIT_SUPPORT_library/filter := tests/unit/library/filter/arena.c
UNIT_LIBRARIES_library/filter = build/target/native-$1+stacks+filter/libbareprof.a
