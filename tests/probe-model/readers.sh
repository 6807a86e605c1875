#!/bin/bash
# SPDX-License-Identifier: MIT
# What tests share in which OpenOCD and pyOCD, which are not ours, read SIZE bytes at ADDRESS; to be sourced with UMOCKDEV
# FOLDER, behind these two. What they have to read is to be put into $folder/expected.
source tests/probe-model/support.sh
export FILE=$folder/read CORE=mem_ap ADDRESS SIZE

# Debian's, of which the modules are.
pyocd=(/usr/bin/python3 tests/probe-model/read.py "$FILE" $ADDRESS $SIZE)

# read_memory [OPTION]... [TARGET]... -- COMMAND...
read_memory() {
	rm -f "$FILE"
	run probe "$@"
}

# expect NAME [OPTION]... [TARGET]... -- COMMAND...: it reads what there is, and neither asks for more than a packet holds
# nor meets the target's driving the line.
expect() {
	local name=$1
	shift
	if ! read_memory "$@"; then
		complain "$name" "it failed"
	elif ! cmp "$folder/expected" "$FILE"; then
		complain "$name" "other bytes"
	elif ! has_counts collisions=0 violations=0; then
		complain "$name" "the probe did what it must not, or was asked to"
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
	verdict $? "$name" "it did not fail, or not by itself"
}
