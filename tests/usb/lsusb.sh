#!/bin/bash
# SPDX-License-Identifier: MIT
# lsusb.sh UMOCKDEV: lsusb, which is not ours, finds no fault in the device's descriptors and reads out of them what they
# are meant to say.
set -u
umockdev=$1
said=$("$umockdev" cat lsusb -v 2>&1)

# expect NAME PATTERN: of some line.
expect() {
	if grep -qE -e "$2" <<<"$said"; then
		echo "ok lsusb: $1"
	else
		printf 'not ok lsusb: %s: no line is %s in\n%s\n' "$1" "$2" "$said"
	fi
}

expect "the device" '^Bus 001 Device 002: ID cafe:4010'
expect "its serial number" '^ *iSerial +3 77$'
expect "all of its configuration" '^ *wTotalLength +0x0062$'
expect "the name of the link's interface" '^ *iInterface +5 bareprof$'
expect "the link's endpoint to the host" '^ *bEndpointAddress +0x83 +EP 3 IN$'
expect "the link's endpoint from the host" '^ *bEndpointAddress +0x03 +EP 3 OUT$'
expect "the console's union of interfaces" '^ *bSlaveInterface +1 *$'
if grep -qiE 'warning|error|invalid|unknown|junk|unrecognized|cannot|couldn' <<<"$said"; then
	printf 'not ok lsusb: it complains:\n%s\n' "$said"
else
	echo "ok lsusb: no complaint"
fi
