# SPDX-License-Identifier: MIT
# The recorder with contexts, in the arena of the tests without.
UNIT_TESTS += tests/unit/contexts/test_contexts.c
UNIT_SUPPORT_contexts := tests/unit/contexts/arena.c
UNIT_LIBRARIES_contexts = build/target/native-$1+contexts/libbareprof.a
