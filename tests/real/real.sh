#!/bin/bash
# SPDX-License-Identifier: MIT
# real.sh BOARD PROGRAM: profiles a program in QEMU as a user would, and compares the profile with what was executed.
work_of=$1/$2
source tests/emulated/support.sh
board=$1 program=$2
output=$work/run

if ! counted_profile_elf "$board" "build/real/$board/$program.elf" "$output"; then
	not_ok "$program on $board: no profile: its console ends with $(tail -n 1 "$output.console")"
	exit 1
fi
perl tests/emulated/truth.pl "$board" "$program" "$output"
