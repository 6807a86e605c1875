# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/dap/test_,adi.c memory_ap.c swd.c)
UNIT_SUPPORT_dap += tests/unit/dap/fake.c tests/unit/dap/bench.c $(LAB_TARGET)
UNIT_TESTS_libusb-1.0 += tests/unit/dap/test_cmsis_dap.c
UNIT_SUPPORT_dap += $(if $(filter libusb-1.0,$(HOST_FOUND)),tests/unit/dap/fake_probe.c)
UNIT_TESTS += tests/unit/dap/test_cortex.c
