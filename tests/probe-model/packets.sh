#!/bin/bash
# SPDX-License-Identifier: MIT
# packets.sh UMOCKDEV FOLDER: the model of a probe has correct descriptors, answers packets as specified, and has the faults
# that its options set.
source tests/probe-model/support.sh
MODEL_TARGET=ram=0x20000000,65536
packets=tests/probe-model/packets.py
[[ $scheme == cmsis-dap ]] || packets=tests/probe-model/packets-$scheme.py

# expect NAME CASE [OPTION]...: CASE of $packets succeeds.
expect() {
	local name=$1 case=$2
	shift 2
	# Debian's Python has the module usb.
	run probe "$@" -- /usr/bin/python3 "$packets" "$case"
	verdict $? "$name" "it does not"
}

# expect_count NAME NUMBER: of the previous case.
expect_count() {
	has_counts "$1=$2"
	verdict $? "its count of $1 is $2" "it is not"
}

# expect_plain NAME PATTERN [OPTION]...: lsusb prints a line that matches, and no complaint.
expect_plain() {
	local name=$1 pattern=$2
	shift 2
	run probe "$@" -- lsusb -v
	if grep -qiE 'warning|error|invalid|unknown|junk|unrecognized|cannot|couldn' "$output"; then
		complain "$name" "lsusb complains"
	elif ! grep -qE -e "$pattern" "$output"; then
		complain "$name" "no line matches $pattern"
	else
		echo "ok $name"
	fi
}

[[ $scheme == cmsis-dap ]] || {
	source tests/probe-model/packets-$scheme.sh
	exit
}

expect "it reports its capabilities" sizes
expect "it rejects unknown commands" unknown
expect "it moves the pins of JTAG" jtag
expect "it transfers words of the target" transfers
expect "it sends and samples sequences of bits" sequences
expect "it transfers nothing before it is connected" unconnected
expect "it queues commands" queued
expect "it aborts a transfer" abort
expect "it holds as many packets as it reports" four_in_flight
expect_count in-flight-most 4
expect_count violations 0
expect "it sends at most one packet as answer" too_much
expect_count violations 8
expect "its reports have one size" reports --v1
expect "it loses an answer" lose --lose 2
expect "it ends an answer early" shorten --shorten 2
expect "it sends wrong lengths" lie --lie 2
expect "it answers another command" mistake --mistake 2
expect "it stalls before an answer" stall --stall 2
expect "it sends 0xff without end" flood --flood 2
expect "it is unplugged" unplug --unplug-after 2
expect "it is slow" slow --slow 500
expect "it sends an answer that is too long" lengthen --lengthen 2
expect "it sends an empty packet after a full one" empty --empty 1
expect "it sends answers to an earlier program" stale --stale 2

expect_plain "its bulk endpoints are described" '^ *iInterface +4 CMSIS-DAP v2$'
expect_plain "its packets at high speed are described" '^ *wMaxPacketSize +0x0200 ' --packet 1024
expect_plain "its reports are described" '^ *wDescriptorLength +29$' --v1
expect_plain "--wire changes the described size of packets" '^ *wMaxPacketSize +0x0008 ' --wire 8
expect_plain "--in changes the described endpoint" '^ *bEndpointAddress +0x05 ' --in 0x05
