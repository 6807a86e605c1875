# SPDX-License-Identifier: MIT
FUZZ_TARGETS += $(if $(filter libusb-1.0,$(HOST_FOUND)),tests/fuzz/fuzz_probe.c tests/fuzz/fuzz_stlink.c)
FUZZ_SUPPORT_probe = tests/probe-model/cmsis_dap.c $(MODEL_TARGET)
FUZZ_TARGETS += tests/fuzz/fuzz_mpsse.c tests/fuzz/fuzz_pins.c tests/fuzz/fuzz_rom_table.c
FUZZ_SUPPORT_mpsse = tests/probe-model/ftdi_chip.c $(MODEL_TARGET)
FUZZ_SUPPORT_pins = $(MODEL_TARGET)
FUZZ_SUPPORT_stlink = tests/probe-model/stlink_firmware.c $(MODEL_TARGET)
