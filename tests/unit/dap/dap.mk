# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/dap/test_,adi.c cmsis_dap.c memory_ap.c)
UNIT_SUPPORT_dap += $(addprefix tests/unit/dap/,fake.c fake_probe.c)
