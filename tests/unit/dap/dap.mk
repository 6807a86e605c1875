# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/dap/test_,adi.c memory_ap.c swd.c)
UNIT_SUPPORT_dap += tests/unit/dap/fake.c $(LAB_TARGET)
