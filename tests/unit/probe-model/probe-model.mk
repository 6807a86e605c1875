# SPDX-License-Identifier: MIT
# The target behind two wires, clock by clock.
UNIT_TESTS += tests/unit/probe-model/test_swd.c
UNIT_SUPPORT_probe-model := tests/unit/probe-model/wire.c $(MODEL_TARGET)
