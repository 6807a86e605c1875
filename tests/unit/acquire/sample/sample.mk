# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/acquire/sample/, test_filing.c test_interrupted.c test_sampling.c test_stack_copies.c)
UNIT_SUPPORT_acquire/sample += tests/unit/acquire/sources.c tests/unit/acquire/sample/core.c tests/unit/acquire/pull/firmware.c tests/unit/acquire/backend/speaker.c
