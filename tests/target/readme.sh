#!/bin/bash
# SPDX-License-Identifier: MIT
# The report in the README is what the demo prints: each line of the block behind "<!-- demo -->", blanks and all, in the
# same order. A line "..." stands for lines that are left out.
source tests/target/support.sh

read -r board firmware < <(firmware_of_test)
name="the README shows what make demo prints"
elf=build/firmware/$board/$firmware.elf
awk '/^<!-- demo -->$/ { on = 1; next } on && /^    /{ sub(/^    /, ""); print; lines++; next } on && /^$/ { if (lines) print; next } on { exit }' \
	README.md >"$work/readme"
if ! profile "$board" "$firmware" "$work/demo"; then
	not_ok "$name: no profile"
elif ! build/bareprof report "$elf" "$work/demo.bprof" | sed "s#$work/#build/#" >"$work/report"; then
	not_ok "$name: no report"
elif ! why=$(awk 'NR == FNR { if ($0 != "") wanted[++count] = $0; next }
	{ while (wanted[next_line + 1] == "...") next_line++ }
	$0 == wanted[next_line + 1] { next_line++ }
	END {
		while (wanted[next_line + 1] == "...") next_line++
		if (count < 20) print "only " count + 0 " lines are shown"
		else if (next_line < count) print "not printed: " wanted[next_line + 1]
		exit count < 20 || next_line < count
	}' "$work/readme" "$work/report"); then
	not_ok "$name: $why"
else
	ok "$name"
fi
exit $((failures != 0))
