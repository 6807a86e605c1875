#!/bin/bash
# SPDX-License-Identifier: MIT
# Projects with slices and with path trees, by the steps of docs/PORTING.md, part 5; and the mistakes that it lists. They have
# no -pg.
source tests/porting/support.sh

declare -A sizes=([stacks]=BAREPROF_STACKS=200 [paths]=BAREPROF_PATHS=1024)
declare -A objcopy=([mps2]=arm-none-eabi-objcopy [virt]=riscv64-unknown-elf-objcopy)

# stack_project MACHINE FEATURE FOLDER: a project that follows the steps for stacks or paths.
stack_project() {
	project "$1" "$3"
	sed -i "s/^CORE = .*/&+$2/" "$3/core.mk"
	sed -i "s/ -pg/ -D${sizes[$2]}/" "$3/Makefile"
	name_stack "$3/link.ld"
	[[ $2 == stacks ]] || echo 'BAREPROF_UNWIND_TABLE(4096);' >>"$3/sampling.c"
}

build() {
	make -C "$1" BAREPROF="$PWD" >"$1/make.log" 2>&1
}

# put_table MACHINE FOLDER
put_table() {
	"$bareprof" unwind-table -o "$2/table.bin" "$2/fw.elf" >"$2/table.log" 2>&1 &&
		"${objcopy[$1]}" --update-section ".bareprof_unwind=$2/table.bin" "$2/fw.elf" 2>>"$2/table.log"
}

# report MACHINE FOLDER: runs what was built there, and writes FOLDER/report.
report() {
	tests/qemu/run.sh --until done "${board_of[$1]}" "$2/fw.elf" \
		"$bareprof" pull 'gdb:127.0.0.1:{port}' -e "$2/fw.elf" -o "$2/run.bprof" >"$2/report" 2>&1 &&
		"$bareprof" report "$2/fw.elf" "$2/run.bprof" >"$2/report" 2>&1
}

# complete NAME MACHINE FOLDER: all stacks are complete, and lead from main to mix().
complete() {
	if ! report "$2" "$3"; then
		not_ok "$1: no profile: $(tail -n 1 "$3/report")"
	elif ! grep -q '^Stacks .*: all complete$' "$3/report"; then
		not_ok "$1: $(grep -m 1 -e ^Stacks -e ^Warning "$3/report")"
	elif ! "$bareprof" export folded "$3/fw.elf" "$3/run.bprof" 2>/dev/null | grep -q ';main;work;collect;mix '; then
		not_ok "$1: no path to mix()"
	else
		ok "$1"
	fi
}

for machine in mps2 virt; do
	for feature in stacks paths; do
		name="make: $feature, $machine" folder=$work/$machine-$feature
		stack_project $machine $feature "$folder"
		if ! build "$folder"; then
			not_ok "$name: $(grep -m 1 -i error "$folder/make.log")"
		elif [[ $feature == paths ]] && ! put_table $machine "$folder"; then
			not_ok "$name: $(tail -n 1 "$folder/table.log")"
		else
			complete "$name" $machine "$folder"
		fi
	done
done

# The commands of the page, from a folder outside the tree.
for feature in stacks paths; do
	name="commands of the page: $feature" folder=$work/commands-$feature
	stack_project mps2 $feature "$folder"
	if (root=$PWD && cd "$folder" && PATH=$root/build:$PATH BAREPROF=$root bash -e "$feature.sh") >"$folder/make.log" 2>&1; then
		complete "$name" mps2 "$folder"
	else
		not_ok "$name: $(tail -n 1 "$folder/make.log")"
	fi
done

# cmake_build FOLDER
cmake_build() {
	PATH=$PWD/build:$PATH cmake --build "$1/build" >>"$1/cmake.log" 2>&1
}

name="CMake: paths" folder=$work/cmake
stack_project mps2 paths "$folder"
cat "$folder/CMakeLists-table.txt" >>"$folder/CMakeLists.txt"
sed -i 's/UNWIND_TABLE(4096)/UNWIND_TABLE(64)/' "$folder/sampling.c"
cmake -S "$folder" -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE=toolchain.cmake -Dbareprof_DIR="$PWD/package" \
	-DCORE=arm_m-cortex-m4f+paths >"$folder/cmake.log" 2>&1
if cmake_build "$folder" || cmake_build "$folder"; then
	not_ok "$name: a table that has too little room passes"
else
	ok "$name: too little room for the table fails, and again"
fi
sed -i 's/UNWIND_TABLE(64)/UNWIND_TABLE(4096)/' "$folder/sampling.c"
if cmake_build "$folder" && cp "$folder/build/fw-table.elf" "$folder/fw.elf"; then
	complete "$name" mps2 "$folder"
else
	not_ok "$name: $(tail -n 1 "$folder/cmake.log")"
fi

# --- Mistakes.

# changed NAME FEATURE FILE SED: builds a project in $folder in which the file was changed.
changed() {
	folder=$work/${1//[^a-z]/-}
	stack_project mps2 "$2" "$folder"
	cp "$folder/$3" "$folder/before"
	sed -i "$4" "$folder/$3"
	! cmp -s "$folder/$3" "$folder/before" || not_ok "$1: nothing was changed"
	build "$folder"
}

# fails NAME FEATURE FILE SED TEXT: with this change the build fails and prints the text.
fails() {
	if changed "$1" "$2" "$3" "$4"; then
		not_ok "$1: the build succeeds"
	else
		reported "$1" "$5" "$folder/make.log"
	fi
}

fails "a length of stack that is not a multiple of 8" stacks Makefile 's/-DBAREPROF_STACKS/-DBAREPROF_STACK_BYTES=100 &/' \
	"BAREPROF_STACK_BYTES is a multiple of 8 from 32 to 32768"
fails "a room for the table that is not a multiple of 8" paths sampling.c 's/TABLE(4096)/TABLE(4100)/' \
	"the size of the unwind table is a multiple of 8, and at least 32"
fails "no room for the table" paths sampling.c '/UNWIND_TABLE/d' "undefined reference to 'bareprof_unwind_place'"
fails "a library without paths" paths core.mk 's/+paths//' "undefined reference to 'bareprof_init_with_paths'"

if changed "stacks without names" stacks link.ld '/bareprof_stack/d' && report mps2 "$folder"; then
	reported "stacks without names" "refused or contradict themselves" "$folder/report"
else
	not_ok "stacks without names: no profile"
fi

# A linker script without an entry symbol, and another function first.
for feature in stacks paths; do
	name="a wrong entry point: $feature" folder=$work/wrong-entry-$feature
	stack_project virt $feature "$folder"
	sed -i '/^ *ENTRY/d' "$folder/link.ld"
	sed -i 's/main.o work.o/work.o main.o/' "$folder/Makefile"
	if ! build "$folder" || { [[ $feature == paths ]] && ! put_table virt "$folder"; }; then
		not_ok "$name: $(grep -m 1 -i error "$folder/make.log")"
	else
		complete "$name" virt "$folder"
	fi
done
reported "a wrong entry point" "is the entry point of the ELF, but code calls it" "$work/wrong-entry-stacks/report"

if changed "a forgotten table" paths work.c 's/40/41/' && cp "$folder/fw.elf" "$folder/other.elf" && report mps2 "$folder"; then
	reported "a forgotten table" "the target had no unwind table of its own build" "$folder/report"
else
	not_ok "a forgotten table: no profile"
fi

# The table of a build that differs by a constant: the same code, another build-id.
cp "$work/mps2-paths/table.bin" "$folder"
if arm-none-eabi-objcopy --update-section ".bareprof_unwind=$folder/table.bin" "$folder/fw.elf" && report mps2 "$folder"; then
	reported "the table of another build" "the target had no unwind table of its own build" "$folder/report"
else
	not_ok "the table of another build: no profile"
fi

name="too little room for the table"
if changed "$name" paths sampling.c 's/TABLE(4096)/TABLE(64)/' && ! put_table mps2 "$folder"; then
	sed -i 's/needs [0-9]* bytes/needs 320 bytes/' "$folder/table.log"
	reported "$name" "the table needs 320 bytes and section .bareprof_unwind has 64" "$folder/table.log"
	# That of another firmware, which has more room for it.
	cp "$folder/fw.elf" "$folder/room.elf"
	arm-none-eabi-objcopy --update-section ".bareprof_unwind=$work/mps2-paths/table.bin" "$folder/fw.elf" 2>"$folder/objcopy.log"
	sed -i 's/lma 0x[0-9a-f]* adjusted to 0x[0-9a-f]*/lma 0x19ec adjusted to 0x2a6a/' "$folder/objcopy.log"
	reported "a table that is larger than the room" "section .text lma 0x19ec adjusted to 0x2a6a" "$folder/objcopy.log"
	put_table mps2 "$folder"
	reported "a damaged ELF" "objcopy put a table into it that is larger than its room" "$folder/table.log"
else
	not_ok "$name: it was put into it"
fi

# in_ram FEATURE: mix() is in RAM, and sampled.
in_ram() {
	changed "code in memory of its own with $1" "$1" work.c \
		's/^APART uint32_t mix(uint32_t value)$/__attribute__((section(".data.ramfunc"), long_call)) &/'
	sed -i -e 's/^APART uint32_t mix.*;/__attribute__((long_call)) &/' "$folder/work.c"
	sed -i -e 's/^BAREPROF_DEFINE/extern const char data_start[], data_end[];\n&/' \
		-e 's/\.period = PERIOD/&, .ranges = {{bareprof_text_start, bareprof_text_end}, {data_start, data_end}}/' "$folder/sampling.c"
	build "$folder"
}

if in_ram stacks; then
	complete "slices of code in RAM" mps2 "$folder"
else
	not_ok "slices of code in RAM: $(grep -m 1 -i error "$folder/make.log")"
fi
if in_ram paths && put_table mps2 "$folder"; then
	complete "paths of code in RAM" mps2 "$folder"
else
	not_ok "paths of code in RAM: $(tail -n 1 "$folder/table.log")"
fi
exit $((failures != 0))
