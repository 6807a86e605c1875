#!/bin/bash
# SPDX-License-Identifier: MIT
# Firmware that counts its call paths: the tree has exactly the paths that the shadow call stack of tests/qemu/shadow.c had at
# the same ticks, and the same ends; with a row of the unwind table shifted it has others.
source tests/target/support.sh
source tests/unwind/shadow.sh

# compare BOARD ELF OUTPUT: prints a summary, or what differs.
compare() {
	local board=$1 elf=$2 output=$3
	profile_elf "$board" "$elf" "$output" --plugin "$(shadow_plugin "$elf" "$output.paths" "$output.counts")" &&
		perl tests/target/paths.pl "$output.bprof" "$output.paths" "$output.paths.functions"
}

while read -r board firmware; do
	name="paths of the tree are those of the shadow call stack: $board, $firmware"
	if result=$(compare "$board" "build/firmware/$board/$firmware.elf" "$work/$board-$firmware" 2>&1); then
		ok "$name ($result)"
	else
		not_ok "$name: $result"
	fi
done < <(firmware_of_test)

# A table whose rows are shifted, with a CRC that holds.
board=mps2-an385 firmware=demo+plain+paths+BAREPROF_PATHS-8192
elf=$work/shifted.elf
perl tests/target/shift_rows.pl "build/firmware/$board/$firmware.table" "$work/shifted.table" &&
	arm-none-eabi-objcopy --update-section ".bareprof_unwind=$work/shifted.table" "build/firmware/$board/$firmware.elf" "$elf"
if result=$(compare "$board" "$elf" "$work/shifted" 2>&1); then
	not_ok "shifted rows give other paths: $result"
elif [[ $result == *'paths differ'* ]]; then
	ok "shifted rows give other paths"
else
	not_ok "shifted rows give other paths: $result"
fi

# check NAME ELF CAPTURE TEXT: the report of the capture contains the text.
check() {
	if result=$(build/bareprof report "$2" "$3" 2>&1) && [[ $result == *"$4"* ]]; then
		ok "$1"
	else
		not_ok "$1: $result"
	fi
}
of_table=build/firmware/$board/$firmware.elf
check "report measures by the tree" "$of_table" "$work/$board-$firmware.bprof" "counted as paths"
check "tree by the table of another ELF is refused" "$of_table" "$work/shifted.bprof" "by the unwind table of another ELF"
exit $((failures != 0))
