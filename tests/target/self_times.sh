#!/bin/bash
# SPDX-License-Identifier: MIT
# Self times agree with the instructions that QEMU executed, counted by a plugin, within the error of sampling. With
# -icount every instruction takes the same time, so a function's share of the instructions is its share of the time.
source tests/target/support.sh

# Address of a function in an ELF, in hexadecimal. The cross tools differ, readelf reads all.
address_of() {
	readelf -sW "$1" | awk -v name="$2" '$8 == name { print $2; exit }'
}

declare -A runs=()
while read -r board firmware; do
	elf=build/firmware/$board/$firmware.elf
	output=$work/$board-$firmware
	# The lowest bit of a Thumb function's address is no part of where it lies.
	start=$((16#$(address_of "$elf" bareprof_start) & ~1)) stop=$((16#$(address_of "$elf" bareprof_stop) & ~1))
	plugin=$(printf 'build/qemu/count.so,output=%s,start=%x,stop=%x' "$output.counts" "$start" "$stop")
	if profile "$board" "$firmware" "$output" --plugin "$plugin" && readelf -sW "$elf" >"$output.symbols"; then
		runs[$board]+=" $output"
	else
		not_ok "a profile of $firmware on $board: there is none"
	fi
done < <(firmware_of_test)

for board in "${!runs[@]}"; do
	# The folders' names have no blanks: one word per run.
	perl tests/target/self_times.pl "$board" ${runs[$board]} || failures=$((failures + 1))
done
[[ ${#runs[@]} -gt 0 ]] || not_ok "there are profiles: there are none"
exit $((failures != 0))
