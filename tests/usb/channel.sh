#!/bin/bash
# SPDX-License-Identifier: MIT
# channel.sh UMOCKDEV EXCHANGE: the USB channel to a device, with and without faults, unplugging, and several devices.
set -u
source tests/check/split.sh
umockdev=$1 exchange=$2

# expect NAME TEXT PROGRAM [OPTION]... -- ARGUMENT...: exchange prints TEXT.
expect() {
	local name=$1 wanted=$2 program=$3 output options arguments
	split options arguments "${@:4}"
	output=$(timeout 300 "$umockdev" "${options[@]}" "$program" "$exchange" "${arguments[@]}" 2>&1)
	if [[ $output == "$wanted" ]]; then
		echo "ok $name"
	else
		printf 'not ok %s: it printed:\n%s\n' "$name" "$output"
	fi
}

rule='put the line SUBSYSTEM=="usb", ATTR{idVendor}=="cafe", ATTR{idProduct}=="4010", TAG+="uaccess" into /etc/udev/rules.d/70-bareprof.rules and plug it in again'
silent='sleep 300' echo='cat 2>/dev/null'

all="echo: 20000 bytes came back"
expect "bytes come back" "$all" "$echo" -- "" echo 20000 1000
expect "bytes come back in transfers larger than one" "echo: 100000 bytes came back" "$echo" -- "" echo 100000 50000
expect "short packets are joined" "$all" "$echo" --longest-in 7 -- "" echo 20000 1000
expect "empty packets are skipped" "$all" "$echo" --empty-in 2 -- "" echo 20000 1000
expect "a stall on the way in is cleared" "$all" "$echo" --stall-in 20 -- "" echo 20000 1000
expect "a stall on the way out is cleared, and the rest is sent" "$all" "$echo" --stall-out 3 -- "" echo 20000 1000
expect "an empty packet ends a write of whole packets" "echo: 6400 bytes came back" "$echo" --gathers -- "" echo 6400 64
expect "a full packet arrives at once, without an empty one after it" "echo: 6400 bytes came back" "$echo" --sends-no-empty -- \
	"" echo 6400 64
expect "a stall that stays ends reading" "read: closed, the device refuses transfers (stall)" \
	"$echo" --stall-in 3 --stays-halted -- "" echo 20000 1000
expect "a stall that stays ends writing" "write: closed, the device refuses transfers (stall)" \
	"$echo" --stall-out 3 --stays-halted -- "" echo 20000 1000
expect "a stall that the device refuses to clear is reported" "read: closed, the device refuses transfers (stall)" \
	"$echo" --stall-in 3 --refuses-clearing -- "" echo 20000 1000

gone="closed, the device was unplugged"
expect "an unplugged device is reported" "read: $gone" "$echo" --longest-in 50 --unplug-after 1500 -- "" echo 10000 1000
expect "bytes before the unplugging are delivered" "write: $gone" "$echo" --unplug-after 2000 -- "" echo 10000 1000
expect "a device that comes back is opened again" "read: $gone"$'\nopen: again\necho: 10000 bytes came back' \
	"$echo" --plug-in-again --longest-in 50 --unplug-after 1500 -- "" echo 10000 1000 again

expect "reading ends at its deadline" "read: time-out" "$silent" -- "" read
expect "reading ends at its deadline in spite of empty packets" "read: time-out" yes --empty-in 1 -- "" read
expect "reading ends when cancelled" "read: cancelled" "$silent" -- "" cancelled
expect "every write ends at its deadline" $'write: time-out\nwrite: time-out' "$silent" -- "" write

expect "an attached device is listed" "usb:cafe:4010:77 | Example board, cafe:4010, serial 77 | -" "$echo" -- list
expect "missing permission is listed with the udev rule" \
	"usb:cafe:4010:77 | Example board, cafe:4010, serial 77 | no permission to open it; $rule" \
	"$echo" --no-permission -- list
expect "a device with another name is not listed" "" "$echo" --name other -- list

few="echo: 100 bytes came back"
none='open: usb: no device is attached that has an interface of class 0xff with the string "bareprof" and a bulk endpoint each way; usb:VID:PID takes one whose string is another'
expect "an interface with another name is not opened by default" "$none" "$echo" --name other -- "" read
expect "an interface with another name is opened by VID:PID" "$few" "$echo" --name other -- cafe:4010 echo 100 10
expect "an unknown id is an error" \
	"open: usb:cafe:4011: no such device is attached that has an interface of class 0xff with a bulk endpoint each way; there is usb:cafe:4010:77" \
	"$echo" -- cafe:4011 read
expect "an unknown serial number is an error" "open: usb:cafe:4010:79: no such device is attached; there is usb:cafe:4010:77" \
	"$echo" -- cafe:4010:79 read
several='open: usb: 2 devices fit; name one of them, or unplug the others: usb:cafe:4010:'
expect "several devices are ambiguous" "${several}78, usb:cafe:4010:77" "$echo" --twin 78 -- "" read
expect "several devices with one id are ambiguous" "${several}78, usb:cafe:4010:77" "$echo" --twin 78 -- cafe:4010 read
expect "a serial number selects a device" "$few" "$echo" --twin 78 -- cafe:4010:77 echo 100 10
expect "missing permission is reported with the udev rule" "open: usb:cafe:4010:77: no permission to open it; $rule" \
	"$echo" --no-permission -- "" read
