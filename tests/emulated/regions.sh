#!/bin/bash
# SPDX-License-Identifier: MIT
# Time by region of memory, for firmware with functions in flash and in RAM: readelf says which function is where.
source tests/emulated/support.sh

while read -r board firmware; do
	output=$work/$board-$firmware
	elf=build/firmware/$board/$firmware.elf
	name="times, functions and bytes of each region match its symbols: $board"
	if ! profile "$board" "$firmware" "$output"; then
		not_ok "$name: no profile"
		continue
	fi
	readelf -lSW "$elf" >"$output.segments"
	readelf -sW "$elf" >"$output.symbols"
	for option in --flat '--region=ROM=0x0-0x10000000 --region=RAM=0x20000000-0x90000000'; do
		[[ $option == --flat || $board == mps2-* ]] || option='--region=ROM=0x80000000-0x80400000 --region=RAM=2151677952-0x80800000'
		# The options are words.
		build/bareprof report --flat $option "$elf" "$output.bprof" >"$output.report"
		if found=$(perl tests/emulated/regions.pl "$output"); then
			ok "$name, $option ($found)"
		else
			not_ok "$name, $option: $found"
		fi
	done
done < <(firmware_of_test)
exit $((failures != 0))
