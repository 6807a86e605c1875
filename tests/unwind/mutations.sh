#!/bin/bash
# SPDX-License-Identifier: MIT
# mutations.sh: the comparison of unwound paths with the shadow call stack notices defects of the unwinder, which is built from
# changed sources (unwind.mk), and of a target that reports stack pointers as if exception frames were smaller: too many
# paths are wrong then, or too few complete. It uses the runs of shadows.sh.
source tests/emulated/support.sh

# noticed NAME PROGRAM RUN [ARGUMENT]...: the program unwinds the slices of a run, and some of its paths are wrong.
noticed() {
	local name="$1 is noticed: $3" program=$2 elf=build/firmware/$3.elf run=build/target-tests/unwind/shadows/$3/run result
	shift 3
	if ! "$program" "$elf" "$run.bprof" "$@" >"$work/unwound"; then
		not_ok "$name: nothing was unwound"
		return
	fi
	result=$(perl tests/unwind/paths.pl "$work/unwound" "$run.shadow" wrong=0.3 2>&1)
	if [[ $? -eq 1 && $result =~ [0-9]+' paths: '.*$ ]]; then
		result=${BASH_REMATCH[0]}
		ok "$name ($result)"
	else
		not_ok "$name: $result"
	fi
}

mutants=build/unwind
demo=demo+plain+stacks+BAREPROF_STACKS-2000
for board in mps2-an385 qemu-virt-rv32; do
	noticed 'a return address that is looked up without minus one' $mutants/unreduced/print_paths $board/${demo/demo/soft_float}
	noticed 'a shift of all rows by an instruction' $mutants/shifted/print_paths $board/$demo
	noticed 'a row in place of its neighbour' $mutants/swapped/print_paths $board/$demo
done
noticed 'a frame of the FPU that the target ignores' build/tests/print_paths \
	mps2-an386/fpu+plain+stacks+BAREPROF_STACKS-2000 fpu
noticed 'a dropped alignment bit of an exception frame' build/tests/print_paths mps2-an385/$demo alignment
exit $((failures > 0))
