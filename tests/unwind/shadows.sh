#!/bin/bash
# SPDX-License-Identifier: MIT
# shadows.sh BOARD FIRMWARE [LIMIT]...: runs a firmware with slices, and compares the paths that the host unwinds with the
# plugin's shadow call stack. LIMITs are passed to paths.pl.
board=$1 firmware=$2
work_of=$board/$firmware
shift 2
source tests/emulated/support.sh
source tests/unwind/shadow.sh

name="unwound paths equal the shadow call stack: $board, $firmware"
elf=build/firmware/$board/$firmware.elf
[[ $firmware == real/* ]] && elf=build/real/$board/${firmware#real/}.elf
if ! run_with_shadow "$board" "$elf" "$work/run"; then
	not_ok "$name: no capture"
elif ! build/tests/print_paths "$elf" "$work/run.bprof" >"$work/unwound"; then
	not_ok "$name: nothing was unwound"
else
	result=$(perl tests/unwind/paths.pl "$work/unwound" "$work/run.shadow" "$@" 2>&1)
	if [[ $? -eq 0 ]]; then
		ok "$name (${result##*$'\n'})"
	else
		not_ok "$name: ${result##*$'\n'}"
	fi
	grep '^#' <<<"$result"
fi
exit $((failures > 0))
