# SPDX-License-Identifier: MIT
# How the tests of this folder compile files for a core, and what they demand of the recorder's objects; to be sourced.

declare -A cores=(
	[m0]='-mcpu=cortex-m0 -mthumb'
	[m3]='-mcpu=cortex-m3 -mthumb'
	[m4f]='-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16'
	[m7f]='-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16'
	[m55]='-mcpu=cortex-m55 -mthumb -mfloat-abi=hard'
	[rv32]='-march=rv32imac_zicsr -mabi=ilp32 -mcmodel=medany'
	[rv32imc]='-march=rv32imc_zicsr -mabi=ilp32 -mcmodel=medany'
	[rv32f]='-march=rv32imafc_zicsr -mabi=ilp32f -mcmodel=medany'
	[rv64]='-march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany')
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-align -Werror'

# compiler_of COMPILER CORE
compiler_of() {
	local prefix=arm-none-eabi-
	[[ $2 != rv* ]] || prefix=riscv64-unknown-elf-
	case $1-$2 in
	g??-*) echo "$prefix$1 ${cores[$2]}" ;;
	clang-rv*) echo "clang --target=riscv${2:2:2}-unknown-elf ${cores[$2]//_zicsr/}" ;;
	clang-*) echo "clang --target=arm-none-eabi -fshort-enums ${cores[$2]}" ;;
	esac
}

# Sections with code that are not the recorder's.
stray_code() { objdump -h "$1" | awk '$2 ~ /^\.text/ && $2 !~ /^\.text\.bareprof\./ && $3 !~ /^0+$/ { print $2 }'; }

# foreign_names OBJECT ALLOWED: names that the object refers to, except the recorder's, those of linker scripts, and
# ALLOWED.
foreign_names() {
	nm -u "$1" | awk '{ print $2 }' |
		grep -vxE "bareprof_.*|_etext|__etext|_start|_GLOBAL_OFFSET_TABLE_|__aeabi_unwind_cpp_pr[01]|$2"
}

# fpu_code CORE OBJECT
fpu_code() {
	local disassembler=arm-none-eabi-objdump
	[[ $1 != rv* ]] || disassembler=riscv64-unknown-elf-objdump
	"$disassembler" -d "$2" | grep -E '[[:space:]](v(ldr|str|mov|push|pop|ldm|stm|add|sub|mul|dup)|f(lw|ld|sw|sd|mv|add))' | head -n 3
}

# check NAME CORE OBJECT [ALLOWED]
check() {
	local found
	found=$(stray_code "$3")
	[[ -z $found ]] || { echo "not ok $1: code in $found"; return; }
	found=$(foreign_names "$3" "${4-}" | tr '\n' ' ')
	[[ -z $found ]] || { echo "not ok $1: refers to $found"; return; }
	found=$(fpu_code "$2" "$3")
	[[ -z $found ]] || { echo "not ok $1: uses the FPU: $found"; return; }
	echo "ok $1"
}
