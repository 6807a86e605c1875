# SPDX-License-Identifier: MIT
# Functions of tests with the firmware of tests/drop-in/scripts/; to be sourced, from the root of the repository.
source tests/emulated/support.sh

declare -A compiler_for=(
	[m0]='arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11'
	[m4]='arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard'
	[rv32]='riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -mcmodel=medany')
compile_options='-Os -g -ffreestanding -ffunction-sections -fdata-sections -Wall -Wextra -Werror'

# configured NAME [MACRO VALUE]...: a folder of objects whose configuration has these macros.
configured() {
	local name=$1
	shift
	mkdir -p "$work/$name"
	(($# == 0)) || printf '#define %s %s\n' "$@" >"$work/$name/bareprof_config.h"
}

# read_script SCRIPT: sets core, vectors, code, symbols, heap, noinit and options from its line of scripts.txt.
read_script() {
	local row
	IFS='|' read -ra row < <(sed -n "s/^$1 *| *//p" tests/drop-in/scripts.txt)
	read -r core vectors code <<<"${row[0]}"
	read -ra symbols <<<"${row[1]}"
	read -r heap noinit <<<"${row[2]}"
	options=${row[3]-}
}

# linked SCRIPT CONFIGURATION ELF [OPTION]...: links the firmware by the script, with the drop-in files; without, if
# CONFIGURATION is plain. Compiles what is missing.
# The options are words.
# shellcheck disable=SC2086
linked() {
	local folder=$work/$2 compile link libgcc='' elf=$3 script=tests/drop-in/scripts/$1.ld names objects=()
	read_script "$1"
	[[ $core == rv32 ]] || libgcc=-lgcc
	shift 3
	compile="${compiler_for[$core]} $compile_options -I $folder -I build/drop-in"
	link="${compiler_for[$core]} -nostdlib -Ltests/drop-in/scripts -Wl,--gc-sections,--fatal-warnings,--no-warn-rwx-segments"
	link+=" -Wl,--undefined=$heap"
	names="-DCOPY_FROM=${symbols[0]} -DCOPY_TO=${symbols[1]} -DCOPY_END=${symbols[2]} -DCLEAR=${symbols[3]}"
	names+=" -DCLEAR_END=${symbols[4]} -DSTACK=${symbols[5]} -DVECTORS=\"$vectors\""
	if [[ $folder == */plain ]]; then
		compile+=' -DPLAIN'
	else
		compile+=' -pg'
		objects=("$folder/$core-bareprof.o" "$folder/$core-entry.o")
		[[ -e ${objects[1]} ]] || { $compile -c build/drop-in/bareprof.c -o "${objects[0]}" &&
			$compile -c build/drop-in/bareprof_entry.S -o "${objects[1]}"; } || return
	fi
	$compile $names $options "$@" -c tests/drop-in/scripts/firmware.c -o "$elf.o" &&
		$link $options "$@" "$elf.o" "${objects[@]}" -T "$script" $libgcc -o "$elf"
}
