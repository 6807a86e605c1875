# SPDX-License-Identifier: MIT
# The recorder with a path tree, in the arena of the tests without.
UNIT_TESTS += tests/unit/library/paths/test_tree.c
UNIT_SUPPORT_library/paths := tests/unit/library/paths/arena.c
UNIT_LIBRARIES_library/paths = build/target/native-$1+paths/libbareprof.a
