#!/bin/bash
# SPDX-License-Identifier: MIT
# gdb.sh UMOCKDEV FOLDER TOOL: bareprof pulls the profile of a firmware in QEMU (firmware.sh) through the gdb servers of OpenOCD
# and pyOCD, which use the models of a probe and a target. The capture equals the memory, and the firmware runs afterwards.
source tests/probe-model/support.sh
export tool folder capture CONTROL='--reset --start --wait 0.5 --stop'

# pull_and_check SOURCE: returns 99 if the firmware does not run or the capture differs.
pull_and_check() {
	"$tool" pull "$1" -e "$MODEL_ELF" -o "$capture" $CONTROL
	local status=$?
	is_running && { [[ $status != 0 ]] || is_saved_but_a_call left; } || status=99
	return $status
}
export -f pull_and_check save is_running is_saved_but_a_call

# pull OPTION... -- SERVER...
pull() {
	local options server
	split options server "$@"
	run probe "${options[@]}" -- tests/probe-model/serve.sh gdb "${server[@]}" -- \
		bash -c 'pull_and_check "$1"' - 'gdb:localhost:{port},timeout=60'
}

# expect NAME OPTION... -- SERVER...
expect() {
	local name=$1
	shift
	pull "$@"
	verdict $? "$name" "status $?"
}

# expect_failure NAME TEXT OPTION... -- SERVER...: the pull fails and prints TEXT. It only reads, because the access that meets the
# fault varies.
expect_failure() {
	local name=$1 text=$2
	shift 2
	CONTROL='' pull "$@"
	local status=$?
	if [[ $status != 1 ]] || ! grep -qF "$text" "$output"; then
		complain "$name" "status $status"
	else
		echo "ok $name"
	fi
}

# Debian's Python has the module pyocd.
pyocd=(/usr/bin/python3 tests/probe-model/gdbserver.py --target cortex_m --port 0 --telnet 0)

expect "a profile is pulled through OpenOCD's gdb server" --packet 512 -- "${openocd[@]}"
expect "a profile is pulled through pyOCD's gdb server" --v1 -- "${pyocd[@]}"
expect "a profile is pulled through pyOCD's gdb server, which persists" --v1 -- "${pyocd[@]}" --persist
# After init: before it, an empty event would still halt the target.
expect "a profile is pulled through an OpenOCD that does not halt the target" --packet 512 -- "${openocd[@]}" \
	-c init -c 'model.core configure -event gdb-attach {}'
expect "zeros from OpenOCD are read again" --packet 512 fault=1500 -- "${openocd[@]}"
expect_failure "a failed read by OpenOCD is reported, not taken for zeros" "the gdb server says 'read_memory: failed" --packet 512 fault=400 -- \
	"${openocd[@]}"
expect_failure "a failed read by pyOCD is reported" "the gdb server answered 'E01'" --v1 fault=400 -- "${pyocd[@]}" --persist
