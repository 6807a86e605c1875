#!/bin/bash
# SPDX-License-Identifier: MIT
# gdb.sh UMOCKDEV FOLDER TOOL: beside a firmware that runs in QEMU (firmware.sh), bareprof pulls its profile
# through OpenOCD's gdb server and pyOCD's, which see it through the models of a probe and a target: the capture holds what
# is in the memory, and the firmware runs when bareprof is done.
source tests/probe-model/support.sh
export tool folder capture CONTROL='--reset --start --wait 0.5 --stop'

# pull_and_look SOURCE: 99 = it did not leave all as it should.
pull_and_look() {
	"$tool" pull "$1" -e "$MODEL_ELF" -o "$capture" $CONTROL
	local status=$?
	is_running && { [[ $status != 0 ]] || is_saved_but_a_call left; } || status=99
	return $status
}
export -f pull_and_look save is_running is_saved_but_a_call

# pull OPTION... -- SERVER...
pull() {
	local options server
	split options server "$@"
	run probe "${options[@]}" -- tests/probe-model/serve.sh gdb "${server[@]}" -- \
		bash -c 'pull_and_look "$1"' - 'gdb:localhost:{port},timeout=20'
}

# expect NAME OPTION... -- SERVER...
expect() {
	local name=$1
	shift
	pull "$@"
	verdict $? "$name" "it ended with $?"
}

# expect_failure NAME TEXT OPTION... -- SERVER...: it fails and says TEXT. It only reads: which access meets a fault is by chance.
expect_failure() {
	local name=$1 text=$2
	shift 2
	CONTROL='' pull "$@"
	local status=$?
	if [[ $status != 1 ]] || ! grep -qF "$text" "$said"; then
		complain "$name" "it ended with $status"
	else
		echo "ok $name"
	fi
}

# Debian's, of which the modules are.
pyocd=(/usr/bin/python3 tests/probe-model/gdbserver.py --target cortex_m --port 0 --telnet 0)

expect "a profile is pulled through OpenOCD's gdb server" --packet 512 -- "${openocd[@]}"
expect "a profile is pulled through pyOCD's gdb server" --v1 -- "${pyocd[@]}"
expect "a profile is pulled through pyOCD's gdb server, which stays" --v1 -- "${pyocd[@]}" --persist
# Before init, nothing at all would stand for halting.
expect "an OpenOCD that does not halt the target is pulled from" --packet 512 -- "${openocd[@]}" \
	-c init -c 'lab.core configure -event gdb-attach {}'
expect "what OpenOCD answers with zeros is read again" --packet 512 fault=1500 -- "${openocd[@]}"
expect_failure "what OpenOCD cannot read is no zeros" "the gdb server says 'read_memory: failed" --packet 512 fault=400 -- \
	"${openocd[@]}"
expect_failure "what pyOCD cannot read is told" "the gdb server answered 'E01'" --v1 fault=400 -- "${pyocd[@]}" --persist
