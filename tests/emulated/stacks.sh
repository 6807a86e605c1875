#!/bin/bash
# SPDX-License-Identifier: MIT
# Firmware that keeps slices of its stacks: they are complete, reach to main(), and are a uniform sample of all ticks.
source tests/emulated/support.sh

while read -r board firmware; do
	name="slices are complete and a uniform sample: $board, $firmware"
	output=$work/$board-$firmware
	options=()
	[[ $firmware != cores* ]] || options=(--cores 2)
	if ! profile "$board" "$firmware" "$output" "${options[@]}" ||
		! readelf -sW "build/firmware/$board/$firmware.elf" >"$output.symbols"; then
		not_ok "$name: no profile, or no symbols"
		continue
	fi
	check_by "$name" perl tests/emulated/stacks.pl "$output.bprof" "$output.symbols"
done < <(firmware_of_test)
exit $((failures != 0))
