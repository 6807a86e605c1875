# SPDX-License-Identifier: MIT
# Tests under a Linux kernel of its own, see run.sh. The kernel that they download stays in build/guest/.

RESULTS_guest := build/results/guest/channel
$(RESULTS_guest): build/results/guest/%: build/usb/vhci build/usb/exchange-host tests/guest/run.sh tests/guest/%.sh always
	@$(RECORD) $@ tests/guest/run.sh build/guest tests/guest/$*.sh build/usb/vhci build/usb/exchange-host
