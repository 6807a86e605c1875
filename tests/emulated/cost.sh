#!/bin/bash
# SPDX-License-Identifier: MIT
# With the cost of ticks that the recorder measured, the time of all functions outside the recorder is right: within half a
# percent of the instructions that were executed there. And the mean distance between ticks is the period.
source tests/emulated/support.sh

name="the time outside the recorder agrees with executed instructions"
while read -r board firmware; do
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output" --timeout 300; then
		not_ok "$name: $board, $firmware: no profile"
	elif found=$(perl tests/emulated/cost.pl "$output" 32); then
		ok "$name: $board, $firmware ($found)"
	else
		not_ok "$name: $board, $firmware: $found"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
