# SPDX-License-Identifier: MIT
# The recorder with a path tree, in the arena of the tests without.
UNIT_TESTS += tests/unit/target/paths/test_tree.c
UNIT_SUPPORT_target/paths := tests/unit/target/paths/arena.c
UNIT_LIBRARIES_target/paths = build/target/native-$1+paths/libbareprof.a
