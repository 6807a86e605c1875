# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/target/sample/, test_filing.c test_interrupted.c test_sampling.c test_stack_copies.c)
UNIT_SUPPORT_target/sample += tests/unit/target/sources.c tests/unit/target/sample/core.c tests/unit/target/pull/firmware.c tests/unit/target/backend/speaker.c
