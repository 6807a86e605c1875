#!/bin/bash
# SPDX-License-Identifier: MIT
# packets.sh UMOCKDEV: the model of a probe answers packets as the specification tells, and has the faults that it is given.
set -u
umockdev=$1

# expect NAME CASE [OPTION]...: CASE of packets.py.
expect() {
	local name=$1 case=$2 said
	shift 2
	# Debian's, of which the modules are.
	if said=$(timeout 60 "$umockdev" "$@" ram=0x20000000,65536 -- /usr/bin/python3 tests/lab/packets.py "$case" 2>&1); then
		echo "ok $name"
	else
		printf 'not ok %s:\n%s\n' "$name" "$said"
	fi
}

expect "it tells what it can" sizes
expect "it does not know all commands" unknown
expect "it transfers what the target holds" transfers
expect "it moves bits as they are given" sequences
expect "it transfers nothing before it is connected" unconnected
expect "it puts commands by" put_by
expect "it aborts a transfer" abort
expect "it takes as many packets as it says" four_in_flight
expect "it sends and takes reports of one size" reports --v1
expect "it loses an answer" lose --lose 2
expect "it ends an answer early" shorten --shorten 2
expect "it lies about lengths" lie --lie 2
expect "it answers another command" mistake --mistake 2
expect "it stalls before an answer" stall --stall 2
expect "it sends 0xff without end" flood --flood 2
expect "it is unplugged" unplug --unplug-after 2
expect "it is slow" slow --slow 500
