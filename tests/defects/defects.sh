#!/bin/bash
# SPDX-License-Identifier: MIT
# defects.sh run|accept NAME ASSEMBLE BAREPROF: checks a documented GNU gprof bug, tests/defects/NAME. ASSEMBLE makes the
# profile that shows the bug from the file `profile` (firmware with source lines is built by `command` from a .s file),
# whose line `gprof PROGRAM` names the affected GNU gprof. The file `command` runs with that program as $GPROF and must
# print the file `gnu`, else the row of docs/GPROF.md is wrong. With `bareprof gprof`, under the name of its link, it must
# print the file `bareprof`. The last line of the output is the exit status. The quotes in `row` must be in these files,
# and the row in docs/GPROF.md. accept writes `gnu` and `bareprof` again.
set -u
mode=$1
name=$2
assemble=$PWD/$3
bareprof=$PWD/$4
page=$PWD/docs/GPROF.md
case=$PWD/tests/defects/$name
scratch=$PWD/build/defects/$name
export LC_ALL=C

# run_with GPROF: runs the command and prints its output without the name of the program.
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
		echo "ok $name: $1 prints the recorded output"
	else
		echo "not ok $name: the output of $1 differs"
	fi
}

# quoted COLUMN FILE: the quotes in a column of the row are in FILE, except for the number of blanks.
quoted() {
	local quotes missing
	quotes=$(awk -F ' *[|] *' -v column="$1" '{ print $column }' "$case/row" | grep -o '`[^`]*`' | tr -d '`')
	missing=$(while read -r quote; do
		tr -s ' \t' ' ' <"$case/$2" | grep -qF -- "$(tr -s ' ' <<<"$quote")" || echo "$quote"
	done <<<"$quotes")
	if [ -n "$quotes" ] && [ -z "$missing" ]; then
		echo "ok $name: the row quotes $2"
	else
		echo "not ok $name: the row quotes text that is not in $2: $missing"
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
