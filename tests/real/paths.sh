#!/bin/bash
# SPDX-License-Identifier: MIT
# paths.sh BOARD PROGRAM: runs a program without -pg, with slices and with a path tree, and compares its paths and its measured
# total times with the shadow call stack of tests/qemu/shadow.c.
work_of=$1/$2
source tests/target/support.sh
source tests/unwind/shadow.sh
board=$1 program=$2
folder=build/real/$board

bash tests/unwind/shadows.sh "$board" "real/$program+stacks" wrong=0.1 complete=99 || failures=1
bash tests/unwind/inclusive.sh "unwind/shadows/$board/real/$program+stacks" "$folder/$program+stacks.elf" || failures=1

name="paths of the tree are those of the shadow call stack: $board, $program"
if ! run_with_shadow "$board" "$folder/$program+paths.elf" "$work/run"; then
	not_ok "$name: no capture"
elif ! result=$(perl tests/target/paths.pl "$work/run.bprof" "$work/run.shadow" "$work/run.shadow.functions" \
	wrong=0.1 unknown=1); then
	not_ok "$name: $result"
else
	ok "$name ($result)"
	bash tests/unwind/inclusive.sh "real/paths/$board/$program" "$folder/$program+paths.elf" || failures=1
fi
exit $((failures != 0))
