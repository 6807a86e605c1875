# SPDX-License-Identifier: MIT
# The recorder with contexts, in the arena of the tests without.
UNIT_TESTS += tests/unit/target/contexts/test_contexts.c
UNIT_SUPPORT_target/contexts := tests/unit/target/contexts/arena.c
UNIT_LIBRARIES_target/contexts = build/target/native-$1+contexts/libbareprof.a
