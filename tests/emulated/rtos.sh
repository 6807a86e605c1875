#!/bin/bash
# SPDX-License-Identifier: MIT
# The tasks of a preemptive RTOS are contexts with their own calls, switches and times, also those that are deleted and
# created again. Those that find no context share a row, and the report states how many contexts are missing.
source tests/emulated/support.sh

while read -r board firmware; do
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "a profile of the RTOS: $board, $firmware: none was taken"
		continue
	fi
	if grep -q broken "$output.console"; then
		not_ok "mutexes and queues of the RTOS: $board, $firmware: broken"
	fi
	build/bareprof report "build/firmware/$board/$firmware.elf" "$output.bprof" >"$output.report"
	name="calls and switches of tasks equal the firmware's counts: $board, $firmware"
	check_by "$name" perl tests/emulated/rtos.pl "$output"
	perl tests/emulated/self_times.pl "$board" "$output" || failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
