#!/bin/bash
# SPDX-License-Identifier: MIT
# Calls in the profile are those that the firmware counted itself, exactly, on every ISA, under interrupts, through
# pointers and recursion, with -pg and with -finstrument-functions.
source tests/target/support.sh

while read -r board firmware; do
	name="calls in the profile equal those that the firmware counted: $board, $firmware"
	output=$work/$board-$firmware
	if ! profile "$board" "$firmware" "$output"; then
		not_ok "$name: no profile"
	elif ! difference=$(perl tests/target/calls.pl "$output.console" "$output.json"); then
		not_ok "$name: $difference"
	else
		ok "$name ($difference)"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
