#!/bin/bash
# SPDX-License-Identifier: MIT
# Tasks that begin with an exit handler as return address have no caller, and no other function inherits their time: not
# the function before the handler, main or the scheduler. Calls are exact, and times agree with the executed instructions.
source tests/emulated/support.sh

while read -r board firmware; do
	name="tasks are called only by <task entry>: $board, $firmware"
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "$name: no profile"
		continue
	fi
	check_by "$name" perl tests/emulated/scheduler.pl "$output"
	perl tests/emulated/self_times.pl "$board" "$output" || failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
