#!/bin/bash
# SPDX-License-Identifier: MIT
# Shared part of tests in which OpenOCD and pyOCD read memory. Set ADDRESS and SIZE, then source it with UMOCKDEV FOLDER; the
# test puts the expected bytes into $folder/expected.
source tests/probe-model/support.sh
export FILE=$folder/read CORE=mem_ap ADDRESS SIZE

# Debian's Python has the module pyocd.
pyocd=(/usr/bin/python3 tests/probe-model/read.py "$FILE" $ADDRESS $SIZE)

# read_memory [OPTION]... [TARGET]... -- COMMAND...
read_memory() {
	rm -f "$FILE"
	run probe "$@"
}

# expect NAME [OPTION]... [TARGET]... -- COMMAND...: it reads the expected bytes, requests no more than a packet can hold, and
# never drives the line together with the target.
expect() {
	local name=$1
	shift
	if ! read_memory "$@"; then
		complain "$name" "it failed"
	elif ! cmp "$folder/expected" "$FILE"; then
		complain "$name" "different bytes"
	elif ! has_counts collisions=0 violations=0; then
		complain "$name" "collisions or impossible requests"
	else
		echo "ok $name"
	fi
}

# expect_failure NAME [OPTION]... [TARGET]... -- COMMAND...
expect_failure() {
	local name=$1
	shift
	read_memory "$@"
	[[ $? == 1 ]]
	verdict $? "$name" "status other than 1"
}
