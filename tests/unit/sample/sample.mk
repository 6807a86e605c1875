# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/sample/, test_command.c test_filing.c test_interrupted.c test_sampling.c)
UNIT_SUPPORT_sample += tests/unit/sample/core.c tests/unit/pull/firmware.c tests/unit/probe/speaker.c
