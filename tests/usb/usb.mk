# SPDX-License-Identifier: MIT
# Programs that plug a model of a USB device into a tool, by umockdev or by a Linux kernel, and the suite that uses them.

UMOCKDEV_FLAGS = $(eval UMOCKDEV_FLAGS := $$(shell pkg-config --cflags umockdev-1.0))$(UMOCKDEV_FLAGS)
UMOCKDEV_LIBRARIES = $(eval UMOCKDEV_LIBRARIES := $$(shell pkg-config --libs umockdev-1.0))$(UMOCKDEV_LIBRARIES)

USB_BOARD := tests/usb/board.c tests/usb/device.c tests/options/options.c tests/usb/device.h tests/options/options.h tests/usb/usb.mk

build/usb/umockdev: tests/usb/umockdev.c $(USB_BOARD)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) $(UMOCKDEV_FLAGS) $(UMOCKDEV_LIBRARIES) -o $@

# $(call usb_user,VARIANT,NAME): a program linked with the host code, such as build/usb/exchange-host.
define usb_user
build/usb/$2-$1: tests/usb/$2.c build/$1/libhost.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$Q$$(call host_compile,$1) $$^ $$(HOST_LIBRARIES) -o $$@
endef
$(foreach variant,host sanitize,$(foreach name,exchange packets,$(eval $(call usb_user,$(variant),$(name)))))

build/usb/vhci: tests/usb/vhci.c $(USB_BOARD)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$Q$(HOST_CC) -std=c11 -O2 -g $(WARNINGS) -D_GNU_SOURCE $(filter %.c,$^) -o $@

RESULTS_usb := $(addprefix build/results/usb/, lsusb channel pull packets)
RESULTS_sanitize += $(addprefix build/results/usb/sanitize-,channel pull packets)
build/results/usb/lsusb: build/usb/umockdev tests/usb/lsusb.sh always
	@$(RECORD) $@ tests/usb/lsusb.sh $<
build/results/usb/channel: build/usb/umockdev build/usb/exchange-host tests/usb/channel.sh always
	@$(RECORD) $@ tests/usb/channel.sh $< build/usb/exchange-host
build/results/usb/pull: build/usb/umockdev build/bareprof build/link/target tests/usb/pull.sh always
	@$(RECORD) $@ tests/usb/pull.sh $< build/bareprof build/usb/pull
build/results/usb/packets: build/probe-model/umockdev build/usb/umockdev build/usb/packets-host tests/usb/packets.sh always
	@$(RECORD) $@ tests/usb/packets.sh $(wordlist 1,3,$^)

build/results/usb/sanitize-channel: build/usb/umockdev build/usb/exchange-sanitize tests/usb/channel.sh always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) tests/usb/channel.sh $< build/usb/exchange-sanitize
build/results/usb/sanitize-pull: build/usb/umockdev build/sanitize/bareprof build/link/target tests/usb/pull.sh always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) tests/usb/pull.sh $< build/sanitize/bareprof build/usb/sanitize-pull
build/results/usb/sanitize-packets: build/probe-model/umockdev build/usb/umockdev build/usb/packets-sanitize tests/usb/packets.sh always
	@$(RECORD) $@ env $(SANITIZE_ENVIRONMENT) tests/usb/packets.sh $(wordlist 1,3,$^)
