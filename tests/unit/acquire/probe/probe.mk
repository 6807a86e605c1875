# SPDX-License-Identifier: MIT
UNIT_TESTS += tests/unit/acquire/probe/test_probe_target.c
UNIT_SUPPORT_acquire/probe += tests/unit/acquire/dap/fake.c tests/unit/acquire/dap/bench.c $(MODEL_TARGET)
UNIT_TESTS_libusb-1.0 += $(addprefix tests/unit/acquire/probe/test_,cmsis_dap.c stlink.c)
UNIT_SUPPORT_acquire/probe += $(if $(filter libusb-1.0,$(HOST_FOUND)),$(addprefix tests/unit/acquire/probe/fake_,probe.c stlink.c) \
	$(addprefix tests/probe-model/,cmsis_dap.c stlink_firmware.c))
