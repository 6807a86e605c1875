# SPDX-License-Identifier: MIT
# The target behind two wires, clock by clock.
UNIT_TESTS += tests/unit/lab/test_swd.c
UNIT_SUPPORT_lab := $(LAB_TARGET)
