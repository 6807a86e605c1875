# SPDX-License-Identifier: MIT
# Programs that present a USB device, whose other side is a program, to a tool: by umockdev, and by a Linux kernel.

USB_RIG_FLAGS = $(eval USB_RIG_FLAGS := $$(shell pkg-config --cflags umockdev-1.0))$(USB_RIG_FLAGS)
USB_RIG_LIBRARIES = $(eval USB_RIG_LIBRARIES := $$(shell pkg-config --libs umockdev-1.0))$(USB_RIG_LIBRARIES)

build/usb/umockdev: tests/usb/umockdev.c tests/usb/device.c tests/usb/device.h tests/usb/usb.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) $(USB_RIG_FLAGS) $(USB_RIG_LIBRARIES) -o $@
