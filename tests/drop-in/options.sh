#!/bin/bash
# SPDX-License-Identifier: MIT
# options.sh FOLDER WORK: compiles the drop-in files in FOLDER with each set of options.txt. There must be no warning, and
# the recorder's code must be in its own sections, call no hook of any option, and use no register of an FPU. Then
# compiles the macros in files of users, in each version of C and C++, without a warning.
set -u
folder=$1 work=$2
rm -rf "$work" && mkdir -p "$work"

declare -A cores=(
	[m0]='-mcpu=cortex-m0 -mthumb'
	[m3]='-mcpu=cortex-m3 -mthumb'
	[m4f]='-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16'
	[m55]='-mcpu=cortex-m55 -mthumb -mfloat-abi=hard'
	[rv32]='-march=rv32imac_zicsr -mabi=ilp32 -mcmodel=medany'
	[rv32f]='-march=rv32imafc_zicsr -mabi=ilp32f -mcmodel=medany'
	[rv64]='-march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany')
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-align -Werror'

# compiler_of COMPILER CORE
compiler_of() {
	local prefix=arm-none-eabi-
	[[ $2 != rv* ]] || prefix=riscv64-unknown-elf-
	case $1-$2 in
	gcc-*) echo "${prefix}gcc ${cores[$2]}" ;;
	clang-rv*) echo "clang --target=riscv32-unknown-elf ${cores[$2]//_zicsr/}" ;;
	clang-*) echo "clang --target=arm-none-eabi -fshort-enums ${cores[$2]}" ;;
	esac
}

# Sections with code that are not the recorder's.
stray_code() { objdump -h "$1" | awk '$2 ~ /^\.text/ && $2 !~ /^\.text\.bareprof\./ && $3 !~ /^0+$/ { print $2 }'; }

# Names that the recorder refers to and that are neither its own nor those of the linker script and of the user's file.
foreign_names() {
	nm -u "$1" | awk '{ print $2 }' | grep -vxE 'bareprof_.*|_etext|__etext|_start|_GLOBAL_OFFSET_TABLE_|__aeabi_unwind_cpp_pr[01]'
}

fpu_code() {
	"$disassembler" -d "$1" | grep -E '[[:space:]](v(ldr|str|mov|push|pop|ldm|stm|add|sub|mul|dup)|f(lw|ld|sw|sd|mv|add))' | head -n 3
}

# check NAME OBJECT
check() {
	local found
	found=$(stray_code "$2")
	[[ -z $found ]] || { echo "not ok $1: code in $found"; return; }
	found=$(foreign_names "$2" | tr '\n' ' ')
	[[ -z $found ]] || { echo "not ok $1: refers to $found"; return; }
	found=$(fpu_code "$2")
	[[ -z $found ]] || { echo "not ok $1: uses the FPU: $found"; return; }
	echo "ok $1"
}

number=0
while read -r compiler core options; do
	[[ -n $compiler && $compiler != \#* ]] || continue
	name="$compiler $core $options" object=$work/$((++number))
	command=$(compiler_of "$compiler" "$core")
	disassembler=arm-none-eabi-objdump
	[[ $core != rv* ]] || disassembler=riscv64-unknown-elf-objdump
	# The options are words.
	# shellcheck disable=SC2086
	if ! $command -ffreestanding -g $options $warnings -c "$folder/bareprof.c" -o "$object.o" >"$object.log" 2>&1 ||
		! $command -ffreestanding -g $options -c "$folder/bareprof_entry.S" -o "$object-entry.o" >>"$object.log" 2>&1; then
		echo "not ok $name: $(head -n 1 "$object.log")"
		continue
	fi
	check "$name" "$object.o"
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
		printf '#include "%s"\nBAREPROF_DEFINE(.clock_hz = 16000000, .rate_hz = 1000);\n%s\n' "${header##*/}" "$example" \
			>"$work/${header##*_}-$((++number)).c"
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
			[[ $file != */@(ch32v|esp32*).h-* ]] || core=rv32
			compiles "${file##*/}: $compiler $standard" $(compiler_of $compiler $core) $language "$file"
		done
	done
done
