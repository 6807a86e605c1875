# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/dap/test_cmsis_dap.c
UNIT_SUPPORT_dap += tests/unit/dap/fake_probe.c
