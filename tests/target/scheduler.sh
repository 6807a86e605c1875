#!/bin/bash
# SPDX-License-Identifier: MIT
# Tasks that begin with an exit handler as return address have no caller, and their time is nobody's but theirs: not that
# of the function before the handler, of main or of the scheduler. Calls are exact, times are those of the instructions
# executed.
source tests/target/support.sh

while read -r board firmware; do
	name="tasks are called by <task entry> alone: $board, $firmware"
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "$name: no profile"
		continue
	fi
	if result=$(perl tests/target/scheduler.pl "$output"); then
		ok "$name ($result)"
	else
		not_ok "$name: $result"
	fi
	perl tests/target/self_times.pl "$board" "$output" || failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
