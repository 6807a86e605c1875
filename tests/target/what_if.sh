#!/bin/bash
# SPDX-License-Identifier: MIT
# A prediction agrees with the firmware that really changed: of two builds, one goes half as often through the loop of one
# function. Each build predicts the times of the other.
source tests/target/support.sh

declare -A runs=()
while read -r board firmware; do
	output=$work/$board-$firmware
	if profile "$board" "$firmware" "$output"; then
		runs[$board]+=" $firmware"
	else
		not_ok "a profile of $firmware on $board: none was taken"
	fi
done < <(firmware_of_test)

# predict BOARD FROM TO FACTOR: the profile of FROM, with a self time of mix() multiplied by FACTOR, is that of TO.
predict() {
	local board=$1 from=$2 to=$3 factor=$4 name found
	name="mix() times $factor takes $from to $to: $board"
	build/bareprof export json --what-if "mix=$factor" "build/firmware/$board/$from.elf" \
		"$work/$board-$from.bprof" >"$work/$board-$from.predicted" || not_ok "$name: no prediction"
	if found=$(perl tests/target/what_if.pl "$work/$board-$from.predicted" "$work/$board-$to.json"); then
		ok "$name ($found)"
	else
		not_ok "$name: $found"
	fi
}

for board in "${!runs[@]}"; do
	read -r full half <<<"${runs[$board]}"
	predict "$board" "$full" "$half" 0.5
	predict "$board" "$half" "$full" 2
done
[[ ${#runs[@]} -gt 0 ]] || not_ok "profiles: none was taken"
exit $((failures != 0))
