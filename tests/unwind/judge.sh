#!/bin/bash
# SPDX-License-Identifier: MIT
# judge.sh BOARD/FIRMWARE [LIMIT]...: compares the paths that the host unwinds from slices with gdb's backtraces at the same
# ticks. LIMITs are passed to judge.pl. The comparison must also notice a path with a wrong frame.
work_of=$1
source tests/emulated/support.sh
name="unwound paths equal gdb's backtraces: $1" elf=build/firmware/$1.elf board=${1%%/*}
shift
export JUDGE_ELF=$elf JUDGE_OUTPUT=$work/backtraces JUDGE_TICKS=120

if ! tests/qemu/run.sh --halt "$board" "$elf" bash -c \
	'timeout 300 gdb-multiarch -nx -batch -x tests/unwind/judge.py && exec build/bareprof pull "gdb:127.0.0.1:$GDB_PORT" -e "$0" -o "$1"' \
	"$elf" "$work/run.bprof" >"$work/log" 2>&1; then
	not_ok "$name: $(tail -n 1 "$work/log")"
elif ! build/tests/print_paths "$elf" "$work/run.bprof" >"$work/unwound"; then
	not_ok "$name: nothing was unwound"
elif result=$(perl tests/unwind/judge.pl "$work/unwound" "$JUDGE_OUTPUT" "$@" 2>&1); then
	ok "$name ($result)"
	awk '$1 % 10 == 0 && NF > 6 { $7 = "2" }; 1' "$work/unwound" >"$work/changed"
	if result=$(perl tests/unwind/judge.pl "$work/changed" "$JUDGE_OUTPUT" gdb=100 2>&1); then
		not_ok "a wrong return address is noticed: $result"
	else
		ok "a wrong return address is noticed"
	fi
else
	not_ok "$name: $result"
fi
exit $((failures > 0))
