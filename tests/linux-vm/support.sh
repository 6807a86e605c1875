#!/bin/bash
# SPDX-License-Identifier: MIT
# For tests within the guest: `beside DEVICE... -- COMMAND...` runs COMMAND while the device of $vhci is plugged in. Knows
# nothing of what is tested; $device_end is the word behind DEVICE, if it takes one.

. tests/check/split.sh

# until_true COMMAND...: waits for what the kernel does in its own time.
until_true() {
	for ((i = 0; i < 300; i++)); do
		"$@" && return
		sleep 0.1
	done
	echo "not ok guest: waited in vain for $*"
	exit 1
}
port_is_free() { grep -q '^hs *0000 004' /sys/devices/platform/vhci_hcd.0/status; }
is_plugged_in() { [[ -e /dev/ttyACM0 && -e /sys/bus/usb/devices/1-1/1-1:1.2 ]]; }
export -f until_true is_plugged_in

# beside DEVICE... -- COMMAND...: runs COMMAND while the device is plugged in.
beside() {
	local devices command
	split devices command "$@"
	until_true port_is_free
	"$vhci" "${devices[@]}" ${device_end-} bash -c 'until_true is_plugged_in; "$@"' - "${command[@]}" 2>&1
}
