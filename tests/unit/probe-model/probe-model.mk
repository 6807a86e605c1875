# SPDX-License-Identifier: MIT
# The model of a target, clock by clock.
UNIT_TESTS += tests/unit/probe-model/test_swd.c
UNIT_SUPPORT_probe-model := tests/unit/probe-model/wire.c $(MODEL_TARGET)
