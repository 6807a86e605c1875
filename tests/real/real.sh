#!/bin/bash
# SPDX-License-Identifier: MIT
# real.sh BOARD PROGRAM: profiles a program in QEMU as a user would, and compares the profile with what was executed.
work_of=$1/$2
source tests/target/support.sh
board=$1 program=$2
elf=build/real/$board/$program.elf
output=$work/run

plugin=$(printf 'build/qemu/count.so,output=%s,start=%x,stop=%x' "$output.counts" \
	$((16#$(address_of "$elf" bareprof_start) & ~1)) $((16#$(address_of "$elf" bareprof_stop) & ~1)))
if ! profile_elf "$board" "$elf" "$output" --plugin "$plugin"; then
	not_ok "$program on $board: no profile: its console says $(tail -n 1 "$output.console")"
	exit 1
fi
"$(cross_of "$elf")objdump" -d --no-show-raw-insn "$elf" >"$output.code"
readelf -sW "$elf" >"$output.symbols"
perl tests/target/truth.pl "$board" "$program" "$output"
