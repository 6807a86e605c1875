#!/bin/bash
# SPDX-License-Identifier: MIT
# pull.sh VHCI TOOL: within the guest, one firmware that is a process behind a USB device of two functions: its block is
# fetched by the bulk endpoints, and by the console's, which the kernel's driver makes a serial port of.
set -u
vhci=$1 tool=$2
. tests/linux-vm/support.sh

# fetch_all: what the command beside the device does. Each pull must end with exactly the block.
fetch_all() {
	local source
	for source in usb uart:/dev/ttyACM0 usb:cafe:4010:77 uart:/dev/ttyACM0,dtr=on; do
		if ! "$tool" pull "$source" -o /run/run.bprof; then
			echo "not ok guest: no block from $source"
		elif ! cmp -n "$(stat -c %s /run/block)" /run/block /run/run.bprof; then
			echo "not ok guest: another block from $source"
		else
			echo "ok guest: the block from $source"
		fi
		rm -f /run/run.bprof
	done
	"$tool" devices
	"$tool" devices >/run/devices
	for source in usb:cafe:4010:77 uart:/dev/ttyACM0; do
		if grep -q "^$source  *Example board" /run/devices; then
			echo "ok guest: $source is listed"
		else
			echo "not ok guest: $source is not listed"
		fi
	done
}
export -f fetch_all
export tool

for content in full sparse; do
	beside "exec build/link/target - $content dump=/run/block" -- fetch_all
done

# In the middle of a pull, by either way: an end in time, with one line and no capture.
expect_end() {
	local source=$1
	if beside --unplug-after 5000 "exec build/link/target - full" -- "$tool" pull "$source" -o /run/run.bprof >/run/output; then
		echo "not ok guest: $source was unplugged, and pull did not say so"
	elif [[ -e /run/run.bprof || $(wc -l </run/output) != 1 ]]; then
		echo "not ok guest: $source was unplugged, and pull left a capture, or not one line"
	else
		echo "ok guest: $source was unplugged"
	fi
	cat /run/output
}
expect_end usb,timeout=2
expect_end uart:/dev/ttyACM0,timeout=2
