#!/bin/bash
# SPDX-License-Identifier: MIT
# simulate.sh PROGRAM TABLE PAIRS: what PROGRAM finds in so many pairs is what was promised, and the table that it prints
# is the one of docs/DIFF.md behind "<!-- simulate: TABLE -->".
page=docs/DIFF.md
work=build/diff/$2
mkdir -p "$work"
"$1" "$2" "$3" >"$work/printed"
status=$?
grep -v '^|' "$work/printed"
grep '^|' "$work/printed" >"$work/table"
awk -v marker="<!-- simulate: $2 -->" '$0 == marker { on = 1; next } on && /^[|]/ { print; rows++; next } rows { exit }' \
	$page >"$work/page"
name="$page has the table $2 of $3 pairs as tests/diff/simulate.c prints it"
if [[ -s $work/table ]] && cmp -s "$work/table" "$work/page"; then
	echo "ok $name"
else
	echo "not ok $name: see diff $work/table $work/page"
	status=1
fi
exit $status
