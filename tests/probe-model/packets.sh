#!/bin/bash
# SPDX-License-Identifier: MIT
# packets.sh UMOCKDEV FOLDER: the model of a probe is described as it should be, answers packets as the specification
# tells, and has the faults that it is given.
source tests/probe-model/support.sh
MODEL_TARGET=ram=0x20000000,65536

# expect NAME CASE [OPTION]...: CASE of packets.py.
expect() {
	local name=$1 case=$2
	shift 2
	# Debian's, of which the modules are.
	run probe "$@" -- /usr/bin/python3 tests/probe-model/packets.py "$case"
	verdict $? "$name" "it does not"
}

# expect_count NAME NUMBER: of what the case before did.
expect_count() {
	has_counts "$1=$2"
	verdict $? "its count of $1 is $2" "it is not"
}

expect "it tells what it can" sizes
expect "it does not know all commands" unknown
expect "it transfers what the target holds" transfers
expect "it moves bits as they are given" sequences
expect "it transfers nothing before it is connected" unconnected
expect "it puts commands by" put_by
expect "it aborts a transfer" abort
expect "it takes as many packets as it says" four_in_flight
expect_count in-flight-most 4
expect_count violations 0
expect "it sends no more than a packet holds" too_much
expect_count violations 8
expect "it sends and takes reports of one size" reports --v1
expect "it loses an answer" lose --lose 2
expect "it ends an answer early" shorten --shorten 2
expect "it lies about lengths" lie --lie 2
expect "it answers another command" mistake --mistake 2
expect "it stalls before an answer" stall --stall 2
expect "it sends 0xff without end" flood --flood 2
expect "it is unplugged" unplug --unplug-after 2
expect "it is slow" slow --slow 500
expect "it sends a longer answer than it may" lengthen --lengthen 2
expect "it sends an empty packet behind a full one" empty --empty 1
expect "it has answers to another program" stale --stale 2

# expect_plain NAME PATTERN [OPTION]...: lsusb, which is not ours, finds no fault in the descriptors, and PATTERN in a line.
expect_plain() {
	local name=$1 pattern=$2
	shift 2
	run probe "$@" -- lsusb -v
	if grep -qiE 'warning|error|invalid|unknown|junk|unrecognized|cannot|couldn' "$said"; then
		complain "$name" "lsusb complains"
	elif ! grep -qE -e "$pattern" "$said"; then
		complain "$name" "no line is $pattern"
	else
		echo "ok $name"
	fi
}

expect_plain "its bulk endpoints are described" '^ *iInterface +4 CMSIS-DAP v2$'
expect_plain "its packets at high speed are described" '^ *wMaxPacketSize +0x0200 ' --packet 1024
expect_plain "its reports are described" '^ *wDescriptorLength +29$' --v1
expect_plain "its packets are described as they are not" '^ *wMaxPacketSize +0x0008 ' --wire 8
expect_plain "an endpoint is described as one from the host" '^ *bEndpointAddress +0x05 ' --in 0x05
