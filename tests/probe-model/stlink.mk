# SPDX-License-Identifier: MIT
# Model of an ST-Link, and its tests in the suite probe-model.

STLINK_PROBE := $(addprefix tests/probe-model/,stlink.c stlink_firmware.c) tests/usb/device.c $(MODEL_TARGET)

build/probe-model/umockdev-stlink: tests/usb/umockdev.c $(STLINK_PROBE) $(MODEL_HEADERS) tests/probe-model/stlink.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) $(UMOCKDEV_FLAGS) $(UMOCKDEV_LIBRARIES) -o $@
