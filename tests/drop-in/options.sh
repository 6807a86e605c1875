#!/bin/bash
# SPDX-License-Identifier: MIT
# options.sh FOLDER WORK: compiles the drop-in files in FOLDER with each set of options.txt. There must be no warning,
# and the recorder's code must be in its own sections, call no hook of any option, and use no register of an FPU. Then
# compiles the macros in files of users, in each version of C and C++, without a warning.
set -u
source "$(dirname "$0")/compile.sh"
folder=$1 work=$2
rm -rf "$work" && mkdir -p "$work"

number=0
while read -r compiler core options; do
	[[ -n $compiler && $compiler != \#* ]] || continue
	name="$compiler $core $options" object=$work/$((++number))
	command=$(compiler_of "$compiler" "$core")
	# The options are words.
	# shellcheck disable=SC2086
	if ! $command -ffreestanding -g $options $warnings -c "$folder/bareprof.c" -o "$object.o" >"$object.log" 2>&1 ||
		! $command -ffreestanding -g $options -c "$folder/bareprof_entry.S" -o "$object-entry.o" >>"$object.log" 2>&1; then
		echo "not ok $name: $(head -n 1 "$object.log")"
		continue
	fi
	check "$name" "$core" "$object.o"
done <"$(dirname "$0")/options.txt"

# compiles NAME COMMAND...: without a warning.
compiles() {
	local name=$1
	shift
	if "$@" -ffreestanding -O2 $warnings -I "$folder" -c -o "$work/user.o" >"$work/user.log" 2>&1; then
		echo "ok $name"
	else
		echo "not ok $name: $(grep -m 1 -E 'error|warning' "$work/user.log")"
	fi
}

# The macro of each header of a timer as its comment shows it.
for header in "$folder"/bareprof_timer_*.h; do
	number=0
	sed -n 's/^ \*\t\(BAREPROF_TIMER_[A-Z0-9_]*(.*);\).*/\1/p' "$header" >"$work/examples"
	[[ -s $work/examples ]] || echo "not ok ${header##*/} shows how to write its macro"
	while IFS= read -r example; do
		((number++))
		printf '#include "%s"\nBAREPROF_DEFINE(.clock_hz = 16000000, .rate_hz = 1000);\n%s\n' "${header##*/}" "$example" \
			>"$work/${header##*_}-$number.c"
	done <"$work/examples"
done

sed '/^BAREPROF_.*_ISR(/s/;$//' tests/drop-in/user.c >"$work/user-no-semicolon.c"
# Words of a compiler's command and of warnings are separate.
# shellcheck disable=SC2046,SC2086
for compiler in gcc clang; do
	for standard in c11 c17 c2x c++14 c++17 c++20; do
		language="-std=$standard -x c$([[ $standard == c++* ]] && echo ++)"
		for core in m3 rv32; do
			for file in tests/drop-in/user.c "$work/user-no-semicolon.c"; do
				compiles "macros of ${file##*/}: $compiler $core $standard" $(compiler_of $compiler $core) $language \
					-DBAREPROF_CONTEXTS=2 -DBAREPROF_PATHS=16 "$file"
			done
		done
		for file in "$work"/*.h-*.c; do
			core=m3
			[[ $file != */@(ch32v|systimer|mtimer).h-* ]] || core=rv32
			compiles "${file##*/}: $compiler $standard" $(compiler_of $compiler $core) $language "$file"
		done
	done
done
