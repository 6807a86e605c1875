#!/bin/bash
# SPDX-License-Identifier: MIT
# Code in two security states, sampled from either. A Secure image sees its own code and that of the other state, function
# by function; a Non-secure image sees its own code and that Secure code ran.
source tests/target/support.sh

while read -r board firmware; do
	output=$work/$board-$firmware
	options=()
	[[ $board == *-ns ]] && options+=('--secure=^(other_.*|boot_handler)$')
	# The sampling interrupt waits until this one has ended.
	[[ $firmware == *CHAINED* ]] && options+=('--unsampled=^other_interrupt$')
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "a profile of $firmware on $board: none was taken"
		continue
	fi
	grep -q '"samples_outside": 0,' "$output.json" || not_ok "all samples of $firmware on $board lie in the code: some do not"
	perl tests/target/self_times.pl "${options[@]}" "$board" "$output" || failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
