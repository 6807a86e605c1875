# SPDX-License-Identifier: MIT
# The recorder with contexts, in the arena of the tests without.
UNIT_TESTS += tests/unit/library/contexts/test_contexts.c
UNIT_SUPPORT_library/contexts := tests/unit/library/contexts/arena.c
UNIT_LIBRARIES_library/contexts = build/target/native-$1+contexts/libbareprof.a
