#!/bin/bash
# SPDX-License-Identifier: MIT
# simulate.sh PROGRAM TABLE PAIRS: PROGRAM keeps the promised rates in PAIRS pairs, and the table that it prints is the one
# of docs/DIFF.md after "<!-- simulate: TABLE -->": the same rows, with rates that differ by at most three standard
# deviations, because the logarithms of another machine may draw other captures.
is_alike() {
	awk -F '|' -v pairs="$3" '
		NR == FNR { page[FNR] = $0; rows = FNR; next }
		{
			count = split(page[FNR], shown, "|")
			if (count != NF)
				exit failed = 1
			for (i = 1; i <= NF; i++) {
				if ($i == shown[i])
					continue
				if ($i !~ /^ [0-9.]+ % $/ || shown[i] !~ /^ [0-9.]+ % $/)
					exit failed = 1
				rate = ($i + shown[i]) / 200
				off = ($i - shown[i]) / 100
				if (off * off > 9 * 2 * (rate * (1 - rate) + 1 / pairs) / pairs)
					exit failed = 1
			}
		}
		END { exit failed || FNR != rows || rows == 0 }' "$1" "$2"
}

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
if is_alike "$work/page" "$work/table" "$3"; then
	echo "ok $name"
else
	echo "not ok $name: see diff $work/table $work/page"
	status=1
fi
exit $status
