#!/bin/bash
# SPDX-License-Identifier: MIT
# The basis of all tests that compare numbers: two runs give the same block, samples hit many instructions, and the second
# interrupt does interrupt the work.
source tests/emulated/support.sh

# The microseconds between two of the board's second interrupts.
work_interval() {
	local microseconds
	microseconds=$(sed -n 's/^#define BOARD_WORK_MICROSECONDS  *\([0-9]*\)u.*/\1/p' "boards/$1/settings.h")
	echo "${microseconds:-997}"
}

while read -r board firmware; do
	first=$work/$board-first second=$work/$board-second
	if ! profile "$board" "$firmware" "$first" || ! profile "$board" "$firmware" "$second"; then
		not_ok "a profile of the demo on $board: none was taken"
		continue
	fi
	if [[ $(counts_of "$first.bprof" | wc -c) -gt 1000 ]] && cmp <(counts_of "$first.bprof") <(counts_of "$second.bprof"); then
		ok "two runs give the same block on $board"
	else
		not_ok "two runs give the same block on $board: they differ"
	fi
	if why=$(perl tests/emulated/spread.pl "$first.json" "$(work_interval "$board")"); then
		ok "samples spread and the second interrupt works on $board ($why)"
	else
		not_ok "samples spread and the second interrupt works on $board: $why"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
