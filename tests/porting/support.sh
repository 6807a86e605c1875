# SPDX-License-Identifier: MIT
# Functions of porting tests; to be sourced, from the root of the repository. A project is an empty folder that gets the
# files shown in docs/PORTING.md, after `<!-- file: NAME -->`, and those of the firmware as it was before. A name begins
# with the machine that the file is for, mps2 or virt, or is for both.
source tests/emulated/support.sh
# The builds are independent of the make that runs these tests.
unset MAKEFLAGS MFLAGS MAKELEVEL

declare -A board_of=([mps2]=mps2-an386 [virt]=qemu-virt-rv32)
declare -A core_of=([mps2]=arm_m-cortex-m4f [virt]=riscv-rv32imac)
prefix=$PWD/$work/moved/bareprof
# The tool that pulls and reports.
bareprof=build/bareprof

# shown PAGE NAME [KIND]: the file NAME of the page, or what else the page marks by `<!-- KIND: NAME -->`. It may be in an
# item of a list.
shown() {
	awk -v marker="<!-- ${3-file}: $2 -->" '
		!on && index($0, marker) { indent = index($0, marker) + 3; on = 1; next }
		on && match($0, /[^ ]/) > indent { while (blanks > 0) { print ""; blanks-- } print substr($0, indent + 1); lines++; next }
		on && /^$/ { blanks += lines > 0; next }
		on { exit }
		END { exit lines == 0 }' "$1"
}

# project MACHINE FOLDER: an empty folder, then the project.
project() {
	local name
	rm -rf "$2"
	mkdir -p "$2"
	cp tests/porting/work.c tests/porting/"$1"/* "$2"
	for name in $(sed -n 's/^<!-- file: \(.*\) -->$/\1/p' docs/PORTING.md); do
		[[ $name == */* && $name != "$1"/* ]] || shown docs/PORTING.md "$name" >"$2/${name#*/}"
	done
}

# name_stack LINKER_SCRIPT: adds the lines for stacks of part 5.
name_stack() {
	local lines
	lines=$(sed -n 's/^ *\(bareprof_stack_\(start\|end\) = [a-z_]*;\).*/\1/p' docs/PORTING.md | tr '\n' ' ')
	sed -i "s/^ *stack_top = .*/&\n$lines/" "$1"
}

# install_core ISA CPU[+FEATURE]
install_core() {
	local with=${2#"${2%%+*}"}
	make --no-print-directory install-target ISA="$1" CPU="${2%%+*}" WITH="${with//+/ }" \
		DESTDIR="$PWD/$work/installed" PREFIX=/opt/bareprof
}

# install_target: the libraries of all machines, of a v6-M core, and those with contexts and
# with slices, under another folder than they are used from.
install_target() {
	local core
	for core in "${core_of[@]}" arm_m-cortex-m0 arm_m-cortex-m4f+contexts arm_m-cortex-m4f+stacks; do
		install_core "${core%%-*}" "${core#*-}" || return
	done
	mkdir -p "${prefix%/*}"
	mv "$work/installed/opt/bareprof" "$prefix"
}

# reported NAME TEXT FILE: the file has the text, and so has the page. The linker's quotes differ.
reported() {
	if ! grep -qF -e "$2" docs/PORTING.md; then
		not_ok "$1: docs/PORTING.md does not say \"$2\""
	elif ! tr '`' "'" <"$3" | grep -qF -e "$2"; then
		not_ok "$1: no message \"$2\" but: $(tail -n 2 "$3" | head -n 1)"
	else
		ok "$1 is reported"
	fi
}

# runs MACHINE FOLDER ELF NAME [CALLER [SOURCE [RUN_OPTION]...]]: runs the firmware; its profile must have the build-id,
# and the calls and the time of work.c. CALLER is the function that calls work(), main if not given; SOURCE is that of
# pull, the debug port if not given.
runs() {
	local difference output=$2/run machine=$1 elf=$3 name=$4 caller=${5:-main} from=${6:-'gdb:127.0.0.1:{port}'}
	shift $(($# < 6 ? $# : 6))
	if ! tests/qemu/run.sh --until done "$@" "${board_of[$machine]}" "$elf" \
		"$bareprof" pull "$from" -e "$elf" -o "$output.bprof" >"$output.log" 2>&1 ||
		! "$bareprof" export json "$elf" "$output.bprof" >"$output.json" 2>>"$output.log" ||
		! "$bareprof" report "$elf" "$output.bprof" >"$output.txt" 2>>"$output.log"; then
		not_ok "$name: no profile: $(tail -n 1 "$output.log")"
	elif ! "$bareprof" info "$output.bprof" 2>&1 | grep -q '^  identity    build-id'; then
		not_ok "$name: the block has no build-id"
	elif ! difference=$(perl tests/porting/expect.pl "$caller" "$output.json"); then
		not_ok "$name: $difference"
	else
		ok "$name ($difference)"
	fi
}
