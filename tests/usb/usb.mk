# SPDX-License-Identifier: MIT
# Programs that present a USB device, whose other side is a program, to a tool: by umockdev, and by a Linux kernel.

USB_RIG_FLAGS = $(eval USB_RIG_FLAGS := $$(shell pkg-config --cflags umockdev-1.0))$(USB_RIG_FLAGS)
USB_RIG_LIBRARIES = $(eval USB_RIG_LIBRARIES := $$(shell pkg-config --libs umockdev-1.0))$(USB_RIG_LIBRARIES)

build/usb/umockdev: tests/usb/umockdev.c tests/usb/device.c tests/usb/device.h tests/usb/usb.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) $(USB_RIG_FLAGS) $(USB_RIG_LIBRARIES) -o $@

# $(call usb_exchange,VARIANT)
define usb_exchange
build/usb/exchange-$1: tests/usb/exchange.c build/$1/libhost.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$(call host_compile,$1) $$^ $$(HOST_LIBRARIES) -o $$@
endef
$(foreach variant,host sanitize,$(eval $(call usb_exchange,$(variant))))

RESULTS_usb := build/results/usb/channel build/results/usb/sanitize-channel
build/results/usb/channel: build/usb/umockdev build/usb/exchange-host tests/usb/channel.sh always
	@$(RECORD) $@ tests/usb/channel.sh build/usb/umockdev build/usb/exchange-host
# The sanitizer wants to be the first library; umockdev's is.
build/results/usb/sanitize-channel: build/usb/umockdev build/usb/exchange-sanitize tests/usb/channel.sh always
	@$(RECORD) $@ env ASAN_OPTIONS=verify_asan_link_order=0 tests/usb/channel.sh build/usb/umockdev \
		build/usb/exchange-sanitize

build/usb/vhci: tests/usb/vhci.c tests/usb/device.c tests/usb/device.h tests/usb/usb.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) -o $@
