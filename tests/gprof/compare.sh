#!/bin/bash
# SPDX-License-Identifier: MIT
# compare.sh ELF GPROF BAREPROF functions|names|lines: runs GNU's GPROF and `BAREPROF gprof` on the ELF and on profiles that
# profile.pl generates from it, once for each line of options in functions.txt, names.txt or lines.txt. Output, written
# files and exit status must be equal. Prints a line "ok ..." or "not ok ..." for each.
set -u
source tests/check/split.sh
elf=$PWD/$1
gprof=$2
bareprof=$PWD/$3
what=$4
here=$PWD/tests/gprof
scratch=$PWD/${1%.elf}.$what
export LC_ALL=C
unset GPROF_PATH

rm -rf "$scratch"
mkdir -p "$scratch" && cd "$scratch" || exit

"${gprof%gprof}objdump" -t "$elf" >symbols || exit
size=4
[[ $("${gprof%gprof}objdump" -f "$elf") == *file\ format\ elf64* ]] && size=8
shape=round
[ "$what" != lines ] || shape=down
for format in v1 bsd 4.4bsd; do
	perl "$here/profile.pl" symbols $size $shape $format >$format.out || exit
done

# run WHO DATA OPTION... -- COMMAND...: runs the command in a folder WHO, where it may write files.
run() {
	local who=$1 data=$2 options command
	split options command "${@:3}"
	mkdir "$who"
	(cd "$who" && "${command[@]}" "${options[@]}" "$elf" "../$data" >printed 2>/dev/null; echo "exit status $?" >status)
	# GNU gprof counts each marked line as executed, even those marked as not executed: docs/GPROF.md.
	sed -i '/   Lines executed$/d; /   Percent of the file executed$/d' "$who"/*
}

while read -r line; do
	read -r -a options <<<"$line"
	data=v1.out
	[[ $line != *"-O bsd"* ]] || data=bsd.out
	[[ $line != *"-O 4.4bsd"* ]] || data=4.4bsd.out
	rm -rf gnu own
	run gnu $data "${options[@]}" -- "$gprof"
	run own $data "${options[@]}" -- "$bareprof" gprof
	if [ "$(cat gnu/* | wc -c)" -lt 100 ]; then
		echo "not ok ${elf##*/gprof/} $line: GNU gprof prints nothing"
	elif diff -a -r -U 2 gnu own; then
		echo "ok ${elf##*/gprof/} $line"
	else
		echo "not ok ${elf##*/gprof/} $line: differs from GNU gprof"
	fi
done < <(grep -v '^#' "$here/$what.txt")
