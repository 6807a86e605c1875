# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/acquire/target/test_cortex.c
