# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/dap/test_cortex.c
