#!/bin/bash
# SPDX-License-Identifier: MIT
# paths.sh BOARD PROGRAM: runs a program without -pg, with slices and with a path tree, and compares its paths and its measured
# total times with the shadow call stack of tests/qemu/shadow.c.
work_of=$1/$2
source tests/emulated/support.sh
source tests/unwind/shadow.sh
board=$1 program=$2
folder=build/real/$board
# Percentages: of paths that may end in code without frame information, and by which the sum of times may be wrong. MuJS
# compares many strings, for which newlib's strcmp() and strlen() for the M4F have such code. Its stacks have up to 60 functions,
# so the cost of a tick varies, and its mean over one tick of 64 has an error of 1 % of the time.
unknown=1 sum=1
[[ $program != mujs ]] || unknown=5 sum=3

bash tests/unwind/shadows.sh "$board" "real/$program+stacks" wrong=0.1 complete=$((100 - unknown)) || failures=1
bash tests/unwind/inclusive.sh "unwind/shadows/$board/real/$program+stacks" "$folder/$program+stacks.elf" sum=$sum || failures=1

name="paths of the tree are as on the shadow call stack: $board, $program"
if ! run_with_shadow "$board" "$folder/$program+paths.elf" "$work/run"; then
	not_ok "$name: no capture"
elif ! result=$(perl tests/emulated/paths.pl "$work/run.bprof" "$work/run.shadow" "$work/run.shadow.functions" \
	wrong=0.1 full=0.1 unknown=$unknown); then
	not_ok "$name: $result"
else
	ok "$name ($result)"
	bash tests/unwind/inclusive.sh "real/paths/$board/$program" "$folder/$program+paths.elf" sum=$sum || failures=1
fi
exit $((failures != 0))
