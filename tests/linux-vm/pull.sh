#!/bin/bash
# SPDX-License-Identifier: MIT
# pull.sh VHCI TOOL: in the virtual machine, pulls from a firmware that runs as a process, through a USB device with two
# functions: bulk endpoints, and a console that the kernel's driver presents as a serial port.
set -u
vhci=$1 tool=$2
. tests/linux-vm/support.sh

# fetch_all: pulls from each source while the device is plugged in. Each pull must end with exactly the block.
fetch_all() {
	local source
	for source in usb uart:/dev/ttyACM0 usb:cafe:4010:77 uart:/dev/ttyACM0,dtr=on; do
		if ! "$tool" pull "$source" -o /run/run.bprof; then
			echo "not ok virtual machine: no block from $source"
		elif ! cmp -n "$(stat -c %s /run/block)" /run/block /run/run.bprof; then
			echo "not ok virtual machine: another block from $source"
		else
			echo "ok virtual machine: the block from $source"
		fi
		rm -f /run/run.bprof
	done
	"$tool" devices
	"$tool" devices >/run/devices
	for source in usb:cafe:4010:77 uart:/dev/ttyACM0; do
		if grep -q "^$source  *Example board" /run/devices; then
			echo "ok virtual machine: $source is listed"
		else
			echo "not ok virtual machine: $source is not listed"
		fi
	done
}
export -f fetch_all
export tool

for content in full sparse; do
	with_device "exec build/link/target - $content dump=/run/block" -- fetch_all
done

# The device is unplugged during a pull from either source: the pull ends in time, with one line and no capture.
expect_end() {
	local source=$1
	if with_device --unplug-after 5000 "exec build/link/target - full" -- "$tool" pull "$source" -o /run/run.bprof >/run/output; then
		echo "not ok virtual machine: $source was unplugged, and pull did not fail"
	elif [[ -e /run/run.bprof || $(wc -l </run/output) != 1 ]]; then
		echo "not ok virtual machine: $source was unplugged, and pull left a capture or did not print one line"
	else
		echo "ok virtual machine: $source was unplugged"
	fi
	cat /run/output
}
expect_end usb,timeout=2
expect_end uart:/dev/ttyACM0,timeout=2
