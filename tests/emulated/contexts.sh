#!/bin/bash
# SPDX-License-Identifier: MIT
# Calls and samples are filed under the context in which they were made, exactly, with tasks that are preempted (Arm) or
# yield (RISC-V) and an interrupt; callees' times go to the caller in that context.
source tests/emulated/support.sh

while read -r board firmware; do
	name="calls and samples have the context that made them: $board, $firmware"
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "$name: no profile"
		continue
	fi
	check_by "$name" perl tests/emulated/contexts.pl "$output.console" "$output.bprof" "$output.symbols" "$output.json"
	name="callees' times go to the caller in each context: $board, $firmware"
	check_by "$name" perl tests/emulated/context_totals.pl "$output.console" "$output.json" "$output.counts" "$output.symbols"
done < <(firmware_of_test)
exit $((failures != 0))
