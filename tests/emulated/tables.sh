#!/bin/bash
# SPDX-License-Identifier: MIT
# Tables that are too small on purpose: kept and dropped calls add up to the calls that the firmware counted itself, and
# samples in granules, in coarse bins and outside add up to its ticks.
source tests/emulated/support.sh

while read -r board firmware; do
	output=$work/$board-$firmware
	name="small tables count their losses: $board, $firmware"
	if ! profile "$board" "$firmware" "$output"; then
		not_ok "$name: no profile whose samples add up"
	elif ! summary=$(perl tests/emulated/tables.pl "$output.console" "$output.json"); then
		not_ok "$name: $summary"
	else
		ok "$name ($summary)"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
