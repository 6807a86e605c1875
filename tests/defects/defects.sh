#!/bin/bash
# SPDX-License-Identifier: MIT
# defects.sh run|accept NAME ASSEMBLE BAREPROF: what GNU gprof does wrong, tests/defects/NAME. The profile that shows it
# is made by ASSEMBLE of the file `profile` (firmware with lines: by `command`, of a file .s), whose line `gprof PROGRAM` names the gprof of GNU that is wrong. The file
# `command` is run with that as $GPROF, and must print the file `gnu`: else the row of docs/GPROF.md is not true; and with
# `bareprof gprof`, by its name as it is linked to, which must print the file `bareprof`. The last line is the exit
# status. What the row in `row` quotes of either must be in these files, and the row in docs/GPROF.md.
# accept writes `gnu` and `bareprof` anew.
set -u
mode=$1
name=$2
assemble=$PWD/$3
bareprof=$PWD/$4
page=$PWD/docs/GPROF.md
case=$PWD/tests/defects/$name
scratch=$PWD/build/defects/$name
export LC_ALL=C

# run_with GPROF: what it prints, with its own name left out.
run_with() {
	rm -rf "$scratch"
	mkdir -p "$scratch"
	(
		cd "$scratch" || exit
		grep -v '^gprof ' "$case/profile" | "$assemble" || exit
		cp "$case"/*.s . 2>/dev/null
		ln -s "$bareprof" bareprof-gprof
		GPROF=$1 bash -c "$(cat "$case/command")" 2>&1 </dev/null
		echo "exit status $?"
	) | sed "s/^${1##*/}: //"
}

gnu=$(awk '$1 == "gprof" { print $2 }' "$case/profile")

if [ "$mode" = accept ]; then
	run_with "$gnu" >"$case/gnu"
	run_with ./bareprof-gprof >"$case/bareprof"
	exit 0
fi

# compare WHO PROGRAM FILE
compare() {
	if run_with "$2" | diff -u --label "$3" --label actual "$case/$3" -; then
		echo "ok $name: $1 prints what was recorded"
	else
		echo "not ok $name: $1 prints something else"
	fi
}

# quoted COLUMN FILE: what the row quotes in a column is a part of what was printed, but for the width of columns.
quoted() {
	local quotes missing
	quotes=$(awk -F ' *[|] *' -v column="$1" '{ print $column }' "$case/row" | grep -o '`[^`]*`' | tr -d '`')
	missing=$(while read -r quote; do
		tr -s ' \t' ' ' <"$case/$2" | grep -qF -- "$(tr -s ' ' <<<"$quote")" || echo "$quote"
	done <<<"$quotes")
	if [ -n "$quotes" ] && [ -z "$missing" ]; then
		echo "ok $name: the row quotes $2"
	else
		echo "not ok $name: the row quotes what is not in $2: $missing"
	fi
}

compare "GNU gprof" "$gnu" gnu
compare "bareprof gprof" ./bareprof-gprof bareprof
quoted 3 gnu
quoted 4 bareprof
if cmp -s "$case/gnu" "$case/bareprof"; then
	echo "not ok $name: both print the same"
fi
if grep -qxF -- "$(cat "$case/row")" "$page"; then
	echo "ok $name: its row is in docs/GPROF.md"
else
	echo "not ok $name: its row is not in docs/GPROF.md"
fi
