#!/bin/bash
# SPDX-License-Identifier: MIT
# The sampling interrupt finds the PC in every kind of exception frame: on both stacks, with and without the registers of
# the FPU. No sample lies outside the code, and each function has its share of the instructions.
source tests/emulated/support.sh

while read -r board firmware; do
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "a profile of $firmware on $board: there is none: $(grep '^not ok' "$output.console")"
		continue
	fi
	grep -q '"samples_outside": 0,' "$output.json" || not_ok "all samples of $firmware on $board lie in the code: some do not"
	perl tests/emulated/self_times.pl "$board" "$output" || failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
