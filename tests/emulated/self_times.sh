#!/bin/bash
# SPDX-License-Identifier: MIT
# Self and total times agree with the instructions that QEMU executed, counted by a plugin, within the error of sampling. With
# -icount every instruction takes the same time, so a function's share of the instructions is its share of the time.
source tests/emulated/support.sh

declare -A runs=()
while read -r board firmware; do
	output=$work/$board-$firmware
	if counted_profile "$board" "$firmware" "$output"; then
		runs[$board]+=" $output"
	else
		not_ok "a profile of $firmware on $board: none was taken"
	fi
done < <(firmware_of_test)

for board in "${!runs[@]}"; do
	# The folders' names have no blanks: one word per run.
	perl tests/emulated/self_times.pl "$board" ${runs[$board]} || failures=$((failures + 1))
done
[[ ${#runs[@]} -gt 0 ]] || not_ok "profiles: none was taken"
exit $((failures != 0))
