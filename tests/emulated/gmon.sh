#!/bin/bash
# SPDX-License-Identifier: MIT
# GNU gprof, reading the gmon.out exported from a real profile, shows the same self times, calls and arcs.
source tests/emulated/support.sh

while read -r board firmware; do
	name="GNU gprof shows the same profile: $board, $firmware"
	elf=build/firmware/$board/$firmware.elf
	output=$work/$board-$firmware
	case $board in
	qemu-virt-*) gprof=riscv64-unknown-elf-gprof ;;
	*) gprof=arm-none-eabi-gprof ;;
	esac
	if ! profile "$board" "$firmware" "$output"; then
		not_ok "$name: no profile"
	elif ! build/bareprof export gmon -o "$output.gmon" "$elf" "$output.bprof"; then
		not_ok "$name: no gmon.out"
	elif ! LC_ALL=C "$gprof" -b "$elf" "$output.gmon" >"$output.gprof"; then
		not_ok "$name: $gprof failed"
	elif ! difference=$(perl tests/emulated/gmon.pl "$output.json" "$output.gprof" 2>&1); then
		not_ok "$name: $difference"
	else
		ok "$name ($difference)"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
