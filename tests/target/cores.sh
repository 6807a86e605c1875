#!/bin/bash
# SPDX-License-Identifier: MIT
# Two cores run the same functions at the same time: each core's block has exactly its own calls, and a pull reads both.
source tests/target/support.sh

while read -r board firmware; do
	name="each core's profile holds its own calls and samples: $board, $firmware"
	output=$work/$board-$firmware
	if ! profile "$board" "$firmware" "$output" --cores 2; then
		not_ok "$name: no profile"
	elif ! readelf -sW "build/firmware/$board/$firmware.elf" >"$output.symbols" ||
		! result=$(perl tests/target/cores.pl "$output.console" "$output.bprof" "$output.symbols"); then
		not_ok "$name: $result"
	else
		ok "$name ($result)"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
