# SPDX-License-Identifier: MIT
UNIT_TESTS += $(addprefix tests/unit/target/dap/test_,access.c access_ports.c arm_debug.c memory_ap.c pause.c wires.c)
UNIT_SUPPORT_target/dap += tests/unit/target/dap/fake.c tests/unit/target/dap/bench.c $(MODEL_TARGET)
UNIT_TESTS_libusb-1.0 += $(addprefix tests/unit/target/dap/test_,cmsis_dap.c stlink.c)
UNIT_SUPPORT_target/dap += $(if $(filter libusb-1.0,$(HOST_FOUND)),tests/unit/target/dap/fake_probe.c tests/probe-model/cmsis_dap.c \
	tests/unit/target/dap/fake_stlink.c tests/probe-model/stlink_firmware.c)
