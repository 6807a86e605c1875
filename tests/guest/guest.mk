# SPDX-License-Identifier: MIT
# Tests under a Linux kernel of its own, see run.sh. The kernel that they download stays in build/guest/, so they take
# turns.

RESULTS_guest := $(addprefix build/results/guest/,channel pull probe)
GUEST_NEEDS := build/usb/vhci tests/guest/run.sh tests/guest/support.sh
build/results/guest/channel: $(GUEST_NEEDS) build/usb/exchange-host tests/guest/channel.sh always
	@$(RECORD) $@ tests/guest/run.sh build/guest tests/guest/channel.sh build/usb/vhci build/usb/exchange-host
build/results/guest/pull: $(GUEST_NEEDS) build/bareprof build/link/target tests/guest/pull.sh always | build/results/guest/channel
	@$(RECORD) $@ tests/guest/run.sh build/guest tests/guest/pull.sh build/usb/vhci build/bareprof
build/results/guest/probe: $(GUEST_NEEDS) build/lab/vhci build/bareprof build/lab/demo+LIVE-1.ram tests/guest/probe.sh \
		tests/lab/openocd.cfg always | build/results/guest/pull
	@$(RECORD) $@ tests/guest/run.sh build/guest tests/guest/probe.sh build/lab/vhci build/bareprof \
		build/lab/demo+LIVE-1.elf build/lab/demo+LIVE-1.ram
