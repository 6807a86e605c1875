#!/bin/bash
# SPDX-License-Identifier: MIT
# The errors of source lines are right: of lines that share granules, as many are off by more than one, two and three errors
# as in a normal distribution. Instructions by line are from QEMU and addr2line. Granules of 2 bytes are the control.
source tests/emulated/support.sh

declare -A runs=()
while read -r board firmware; do
	output=$work/$board-$firmware
	elf=build/firmware/$board/$firmware.elf
	if counted_profile "$board" "$firmware" "$output" && build/tests/print_lines "$elf" "$output.bprof" >"$output.lines" &&
		awk '{ print $1 }' "$output.counts" | "$(cross_of "$elf")addr2line" -e "$elf" >"$output.places"; then
		kind=8-byte
		[[ $firmware != *+GRANULE-2* ]] || kind=2-byte
		runs[$kind]+=" $output"
	else
		not_ok "lines of $firmware on $board: there is no profile"
	fi
done < <(firmware_of_test)

for kind in 8-byte 2-byte; do
	# The folders' names have no blanks: one word per run.
	perl tests/emulated/lines.pl "$kind granules" ${runs[$kind]-} || failures=$((failures + 1))
done
exit $((failures != 0))
