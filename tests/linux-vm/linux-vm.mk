# SPDX-License-Identifier: MIT
# Tests under a Linux kernel of its own, see run.sh. The kernel that they download stays in build/linux-vm/, so they take
# turns.

RESULTS_linux-vm := $(addprefix build/results/linux-vm/,channel pull probe)
LINUX_VM_NEEDS := build/usb/vhci tests/linux-vm/run.sh tests/linux-vm/support.sh
build/results/linux-vm/channel: $(LINUX_VM_NEEDS) build/usb/exchange-host tests/linux-vm/channel.sh always
	@$(RECORD) $@ tests/linux-vm/run.sh build/linux-vm tests/linux-vm/channel.sh build/usb/vhci build/usb/exchange-host
build/results/linux-vm/pull: $(LINUX_VM_NEEDS) build/bareprof build/link/target tests/linux-vm/pull.sh always | build/results/linux-vm/channel
	@$(RECORD) $@ tests/linux-vm/run.sh build/linux-vm tests/linux-vm/pull.sh build/usb/vhci build/bareprof
build/results/linux-vm/probe: $(LINUX_VM_NEEDS) build/probe-model/vhci build/probe-model/vhci-stlink build/probe-model/vhci-jlink build/probe-model/vhci-ftdi build/bareprof build/probe-model/demo+LIVE-1.ram tests/linux-vm/probe.sh \
		tests/probe-model/openocd.cfg always | build/results/linux-vm/pull
	@$(RECORD) $@ tests/linux-vm/run.sh build/linux-vm tests/linux-vm/probe.sh build/probe-model/vhci build/bareprof \
		build/probe-model/demo+LIVE-1.elf build/probe-model/demo+LIVE-1.ram
