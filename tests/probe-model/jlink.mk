# SPDX-License-Identifier: MIT
# Model of a J-Link, and its tests in the suite probe-model.

# This file is read before probe-model.mk, so its lists are expanded late.
JLINK_PROBE = $(addprefix tests/probe-model/,jlink.c jlink_firmware.c) tests/usb/device.c $(MODEL_TARGET)

build/probe-model/umockdev-jlink: tests/usb/umockdev.c $$(JLINK_PROBE) $$(MODEL_HEADERS) tests/probe-model/jlink.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) $(UMOCKDEV_FLAGS) $(UMOCKDEV_LIBRARIES) -o $@
