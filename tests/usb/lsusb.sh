#!/bin/bash
# SPDX-License-Identifier: MIT
# lsusb.sh UMOCKDEV: lsusb decodes the descriptors of the board as intended, without complaint.
set -u
umockdev=$1
output=$("$umockdev" cat lsusb -v 2>&1)

# expect NAME PATTERN: a line matches the pattern.
expect() {
	if grep -qE -e "$2" <<<"$output"; then
		echo "ok lsusb: $1"
	else
		printf 'not ok lsusb: %s: no line matches %s:\n%s\n' "$1" "$2" "$output"
	fi
}

expect "the device" '^Bus 001 Device 002: ID cafe:4010'
expect "its serial number" '^ *iSerial +3 77$'
expect "all of its configuration" '^ *wTotalLength +0x0062$'
expect "the name of the link's interface" '^ *iInterface +4 bareprof$'
expect "the link's endpoint to the host" '^ *bEndpointAddress +0x83 +EP 3 IN$'
expect "the link's endpoint from the host" '^ *bEndpointAddress +0x03 +EP 3 OUT$'
expect "the console's union of interfaces" '^ *bSlaveInterface +1 *$'
if grep -qiE 'warning|error|invalid|unknown|junk|unrecognized|cannot|couldn' <<<"$output"; then
	printf 'not ok lsusb: complaints:\n%s\n' "$output"
else
	echo "ok lsusb: no complaint"
fi
