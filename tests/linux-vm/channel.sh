#!/bin/bash
# SPDX-License-Identifier: MIT
# channel.sh VHCI EXCHANGE: in the virtual machine, the USB channel to a device of the kernel: its USB core, its drivers
# and usbfs.
set -u
vhci=$1 exchange=$2
. tests/linux-vm/support.sh

# expect NAME TEXT [OPTION]... PROGRAM -- ARGUMENT...: compares the output of exchange with TEXT.
expect() {
	local name=$1 wanted=$2 output options arguments
	split options arguments "${@:3}"
	output=$(with_device "${options[@]}" -- "$exchange" "${arguments[@]}")
	if [[ $output == "$wanted" ]]; then
		echo "ok virtual machine: $name"
	else
		printf 'not ok virtual machine: %s: unexpected output:\n%s\n' "$name" "$output"
	fi
}

echo='cat 2>/dev/null'
all="echo: 20000 bytes came back"
expect "the kernel lists the device" "usb:cafe:4010:77 | Example board, cafe:4010, serial 77 | -" "$echo" -- list
expect "bytes come back" "$all" "$echo" -- "" echo 20000 1000
expect "a stall on the way in is cleared" "$all" --stall-in 20 "$echo" -- "" echo 20000 1000
expect "a stall on the way out is cleared" "$all" --stall-out 3 "$echo" -- "" echo 20000 1000
expect "an empty packet ends a write of whole packets" "echo: 640 bytes came back" --gathers "$echo" -- "" echo 640 64
expect "a permanent stall ends reading" "read: closed, the device refuses transfers (stall)" \
	--stall-in 3 --stays-halted "$echo" -- "" echo 20000 1000
expect "unplugging the device is reported" "read: closed, the device was unplugged" \
	--longest-in 50 --unplug-after 1500 "$echo" -- "" echo 20000 1000
expect "reading ends at its deadline" "read: time-out" "sleep 300" -- "" read
expect "reading ends when cancelled" "read: cancelled" "sleep 300" -- "" cancelled
expect "writing ends at its deadline, twice" $'write: time-out\nwrite: time-out' "sleep 300" -- "" write
expect "a device in use is reported" "open: usb:cafe:4010:77: cannot open it: another program uses it" \
	"$echo" -- "" twice

# Another process claims the device for a while.
output=$(with_device "$echo" -- bash -c '"$1" "" echo 1000000 1 >/dev/null & until_true is_claimed; "$1" "" echo 1 1; kill "$!"' - "$exchange")
if [[ $output =~ ^"open: usb:cafe:4010:77: cannot open it: exchange-host (process "[0-9]+") uses it"$ ]]; then
	echo "ok virtual machine: the program that uses a device is named"
else
	printf 'not ok virtual machine: the program that uses a device is named: unexpected output:\n%s\n' "$output"
fi
