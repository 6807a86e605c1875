#!/bin/bash
# SPDX-License-Identifier: MIT
# Two cores run the same functions at the same time: each core's block has exactly its own calls, or its own slices, and a
# pull reads both.
source tests/emulated/support.sh

# with_stacks BOARD ELF OUTPUT: prints a summary, or what is wrong with the slices of a capture.
with_stacks() {
	local elf=$2 output=$3
	profile_elf "$1" "$elf" "$output" --cores 2 &&
		readelf -sW "$elf" >"$output.symbols" &&
		build/tests/print_paths "$elf" "$output.bprof" >"$output.paths" &&
		build/bareprof export folded "$elf" "$output.bprof" >"$output.folded" &&
		build/bareprof merge "$output.bprof" "$output.bprof" -o "$output.sum.bprof" &&
		build/bareprof export folded "$elf" "$output.sum.bprof" >"$output.sum" &&
		perl tests/emulated/core_stacks.pl "$output"
}

while read -r board firmware; do
	name="each core's profile holds its own calls and samples: $board, $firmware"
	output=$work/$board-$firmware
	if [[ $firmware == *stacks* ]]; then
		name="each core's slices are of its own stack and code: $board, $firmware"
		check_by "$name" with_stacks "$board" "build/firmware/$board/$firmware.elf" "$output"
		continue
	fi
	if ! profile "$board" "$firmware" "$output" --cores 2 ||
		! readelf -sW "build/firmware/$board/$firmware.elf" >"$output.symbols"; then
		not_ok "$name: no profile, or no symbols"
		continue
	fi
	check_by "$name" perl tests/emulated/cores.pl "$output.console" "$output.bprof" "$output.symbols"
done < <(firmware_of_test)
exit $((failures != 0))
