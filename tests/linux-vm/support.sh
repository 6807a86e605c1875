#!/bin/bash
# SPDX-License-Identifier: MIT
# For tests within the virtual machine: a device that is a program, plugged in while a command runs.

. tests/check/split.sh

# until_true COMMAND...: waits until COMMAND succeeds, for actions of the kernel that take time.
until_true() {
	for ((i = 0; i < 1200; i++)); do
		"$@" && return
		sleep 0.1
	done
	echo "not ok virtual machine: time-out waiting for $*"
	exit 1
}
port_is_free() { grep -q '^hs *0000 004' /sys/devices/platform/vhci_hcd.0/status; }
is_plugged_in() { [[ -e /dev/ttyACM0 && -e /sys/bus/usb/devices/1-1/1-1:1.2 ]]; }
# Whether a program has claimed an interface of the device.
is_claimed() { [[ $(readlink /sys/bus/usb/devices/1-1/1-1:*/driver) == */usbfs* ]]; }
export -f until_true is_plugged_in is_claimed

# with_device DEVICE... -- COMMAND...: runs COMMAND while the device is plugged in, for which "$vhci DEVICE... $device_end"
# plugs it in and runs a shell command.
with_device() {
	local devices command
	split devices command "$@"
	until_true port_is_free
	"$vhci" "${devices[@]}" ${device_end-} bash -c 'until_true is_plugged_in; "$@"' - "${command[@]}" 2>&1
}
