#!/bin/bash
# SPDX-License-Identifier: MIT
# timers.sh FOLDER WORK: compiles a file of a project for each timer of timers.txt and each of its cores. As in
# options.sh, there must be no warning, no code outside the recorder's sections, no hook and no register of an FPU. The
# longest period that fits must compile, and one clock more must not.
set -u
source "$(dirname "$0")/compile.sh"
folder=$1 work=$2 list=$(dirname "$0")/timers.txt
rm -rf "$work" && mkdir -p "$work"

# compiles NAME CORE PERIOD COMPILER OPTION...
compiles() {
	local name=$1 core=$2 period=$3 language=c command
	command=$(compiler_of "$4" "$core")
	[[ $4 != g++ ]] || language=c++
	# The command and the warnings are words.
	# shellcheck disable=SC2086
	$command -ffreestanding -g "${@:5}" $warnings -DPERIOD="$period" -I "$folder" -x "$language" -c "$work/$name.c" \
		-o "$work/$name.o" >"$work/$name.log" 2>&1
}

for header in "$folder"/bareprof_timer_*.h; do
	timer=${header##*_timer_} && timer=${timer%.h}
	grep -q "^$timer " "$list" || echo "not ok timers.txt has no $timer"
done

number=0
while read -r timer core_list longest macro; do
	[[ -n $timer && $timer != \#* ]] || continue
	name=$((++number))
	printf '%s\n' "#include \"bareprof_timer_$timer.h\"" 'BAREPROF_DEFINE(.clock_hz = 16000000, .period = PERIOD);' "$macro;" \
		'BAREPROF_EXTERN_C void bareprof_begin(void);' 'BAREPROF_CODE(bareprof_begin) void bareprof_begin(void)' \
		'{ bareprof_timer_start(); }' >"$work/$name.c"
	for core in ${core_list//,/ }; do
		hooks='-Xclang -pg -meabi gnu'
		[[ $core != rv* ]] || hooks=-finstrument-functions-after-inlining
		for options in 'gcc -O0 -pg' 'gcc -O2 -pg' 'gcc -Os -finstrument-functions' 'g++ -std=c++14 -O2 -pg' \
			"clang -O2 $hooks"; do
			# The options are words.
			# shellcheck disable=SC2086
			if compiles "$name" "$core" "${longest/#-/3000000000}" $options; then
				# v6-M cannot divide. Only without optimisation is the period computed by the firmware.
				check "$macro: $core $options" "$core" "$work/$name.o" __aeabi_uidiv
			else
				echo "not ok $macro: $core $options: $(grep -m 1 -E 'error|warning' "$work/$name.log")"
			fi
		done
	done
	[[ $longest != - ]] || continue
	if compiles "$name" "$core" $((longest + 1)) gcc -O2; then
		echo "not ok $macro: a period of $((longest + 1)) compiles"
	elif grep -q 'error: .*the timer cannot count so far' "$work/$name.log"; then
		echo "ok $macro: a period of $((longest + 1)) does not compile"
	else
		echo "not ok $macro: $(grep -m 1 error "$work/$name.log")"
	fi
done <"$list"
