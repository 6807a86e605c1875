#!/bin/bash
# SPDX-License-Identifier: MIT
# captures.sh BAREPROF FOLDER: makes the captures that exports are tested with, NAME.bprof and NAME.elf in FOLDER:
#
#	demo      the demo in QEMU: source lines, interrupts, a cycle of three functions
#	five      described: a cycle of two functions
#	periods   the same without a clock, so that times are in samples
#	tasks     the same firmware with contexts
#	cores     the same on two cores
#	shared    the same in granules that functions share, without calls
#	static    described: calls in the code that were not made
#	probe     the same firmware sampled through a probe: no calls, and a core that was asleep
#	hostile   functions and a source with the names below, one of them never called, one compiled without -pg
#	dropped   the same with a full table of arcs
#	gmon      the same from a gmon.out
#	lines     described: source lines and stacks, without calls
#	measured  the firmware of five, with a path tree: a call costs more in one caller than in the other
#	recursive like measured, with a cycle of two functions, which stacks resolve
#	uncounted like measured, without recorded calls; stacks end in all ways
#	stacks    the tasks with slices and a tree
#	refused   measured, but the tree was counted by another unwind table
#	same      the same firmware, when only the two functions of one name ran
#
# hostile.names has the names of the hostile functions, each ended by a zero.
set -eu
bareprof=$(realpath "$1") folder=$(realpath "$2")
root=$(realpath "$(dirname "$0")/../..")
inputs=$root/tests/golden/inputs
make_capture=$root/build/tests/make_capture

# Function number i has line i + 1 and is at 0x8000 + 64 * i.
names=('=cmd|calc' '+1' '-2' '@sum' $'tab\there' $'line\nfeed' $'carriage\rreturn' 'quo"te' 'com,ma' 'semi;colon' 'two words'
	'back\slash\' $'bad\xff\xc3(utf8' 'Größe' '<&lt;b>' '{re|cord}' '%s%n' '$(x)`y`' '\N\G' 'end_of_record' '# HELP'
	$'right\xe2\x80\xaeleft' '_ZN3app4swapIiEEvPT_S2_' "$(printf 'long%.0s' {1..200})" 'not_called' 'not_counted')
last_called=$((${#names[@]} - 3))

address_of() { echo $((0x8000 + 64 * $1)); }

# All functions are the same code.
write_source() {
	local i counted
	printf 'void (*volatile next)(void);\n#line 1 "so,ur\\"ce\\n\\\\.c"\n'
	for i in "${!names[@]}"; do
		counted=
		[ "${names[i]}" != not_counted ] || counted=', no_instrument_function'
		echo "__attribute__((aligned(64), noinline$counted)) void f$i(void) { next(); next(); }"
	done
}

compile() { arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -Os -pg -fno-toplevel-reorder -fno-ipa-icf -x c -c - -o "$1"; }

# Two more functions have the same name. Symbols are renamed last, because compilers refuse most of these names.
build_hostile() {
	local i renames=()
	write_source | compile hostile.o
	for i in 1 2; do
		compile same$i.o <<<'static __attribute__((aligned(64), used)) void same(void) { __asm volatile("nop"); }'
	done
	arm-none-eabi-as -mcpu=cortex-m3 -o hook.o - <<-'END'
		.thumb
		.global __gnu_mcount_nc
		.type __gnu_mcount_nc, %function
		__gnu_mcount_nc: bx lr
	END
	arm-none-eabi-ld -Ttext=0x8000 -e f0 hostile.o same1.o same2.o hook.o -o plain.elf
	for i in "${!names[@]}"; do renames+=(--redefine-sym "f$i=${names[i]}"); done
	arm-none-eabi-objcopy "${renames[@]}" plain.elf hostile.elf
}

# Each function up to the last one that is called calls the next one, after its first call.
describe_hostile() {
	local i address after
	after=$(arm-none-eabi-objdump -d --disassemble=f0 plain.elf | awk 'called { print "0x" $1; exit } $3 == "blx" { called = 1 }')
	after=$((${after%:} - $(address_of 0) + 1))
	printf 'clock 1000000\nperiod 1000\nrange 0x8000 0x9000\n'
	for ((i = 0; i <= last_called; i++)); do
		echo "sample $(($(address_of $i) + 2)) $((i + 100))"
		((i == 0)) || echo "arc $(($(address_of $((i - 1))) + after)) $(($(address_of $i) + 1)) $((i + 7))"
	done
	for address in $(arm-none-eabi-nm plain.elf | awk '$3 == "same" { print "0x" $1 }'); do
		printf 'sample %d 50\narc %d %d 5\n' $((address + 2)) $(($(address_of 0) + after)) $((address + 1))
	done
}

rm -f "$folder"/*.bprof "$folder"/*.elf
demo=$root/build/firmware/mps2-an385/demo.elf
"$root/tests/qemu/run.sh" --until "demo: done" mps2-an385 "$demo" \
	"$bareprof" pull "gdb:127.0.0.1:{port}" -e "$demo" -o "$folder/demo.bprof" 2>"$folder/demo.log"
cp "$demo" "$folder/demo.elf"

cd "$folder"
for name in five static; do ROOT=$root sh "$inputs/build.sh" $name; done
grep -v '^clock' "$inputs/five.txt" | "$make_capture" >periods.bprof
"$make_capture" <"$inputs/tasks.txt" >tasks.bprof
"$make_capture" <"$inputs/cores.txt" >cores.bprof
sed '/^arc/d; s/^granules .*/granules 16 64/' "$inputs/tasks.txt" | "$make_capture" >shared.bprof
"$make_capture" <"$inputs/measured.txt" >measured.bprof
cat "$inputs/measured.txt" "$inputs/recursive.txt" | "$make_capture" >recursive.bprof
ROOT=$root sh "$inputs/build.sh" lines
cat "$inputs/lines.txt" "$inputs/lines-stacks.txt" | grep -v "^arc" | "$make_capture" >lines.bprof
"$make_capture" <"$inputs/measured-without-calls.txt" >uncounted.bprof
"$make_capture" <"$inputs/stacks.txt" >stacks.bprof
{ cat "$inputs/measured.txt" && echo stack-total 7 1; } | "$make_capture" >refused.bprof
printf '3 20 0x8024\n2 20 0xffffffff\n' | "$root/build/tests/make_sampled" five.elf >probe.bprof

build_hostile
printf '%s\0' "${names[@]}" >hostile.names
describe_hostile | "$make_capture" >hostile.bprof
{ describe_hostile && echo dropped 3; } | "$make_capture" >dropped.bprof
describe_hostile | grep -v '^arc' | sed '/^sample/{ / 50$/!d }' | "$make_capture" >same.bprof
"$bareprof" export gmon -o gmon.bprof hostile.elf hostile.bprof

for name in periods tasks cores shared probe measured recursive uncounted stacks refused; do cp five.elf $name.elf; done
for name in dropped gmon same; do cp hostile.elf $name.elf; done
