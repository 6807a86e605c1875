#!/bin/bash
# SPDX-License-Identifier: MIT
# Common mistakes, and the messages for them that docs/PORTING.md lists.
source tests/porting/support.sh

# mistaken NAME FILE SED: a project in $folder in which the file was changed.
mistaken() {
	folder=$work/${1//[^a-z]/-}
	project mps2 "$folder"
	cp "$folder/$2" "$folder/before"
	sed -i "$3" "$folder/$2"
	! cmp -s "$folder/$2" "$folder/before" || not_ok "$1: nothing was changed"
	make -C "$folder" BAREPROF="$PWD" >"$folder/make.log" 2>&1
}

# fails NAME FILE SED TEXT: with this change the build fails and prints the text.
fails() {
	if mistaken "$1" "$2" "$3"; then
		not_ok "$1: the build succeeds"
	else
		reported "$1" "$4" "$folder/make.log"
	fi
}

# run OPTION...: runs what was built, with options of run.sh, and pulls.
run() {
	tests/qemu/run.sh "$@" mps2-an386 "$folder/fw.elf" \
		build/bareprof pull 'gdb:127.0.0.1:{port}' -e "$folder/fw.elf" -o "$folder/run.bprof" >"$folder/pull.log" 2>&1
}

if make target ISA=arm_m CPU=cortex-m99 >"$work/target.log" 2>&1 || [[ $(wc -l <"$work/target.log") -ne 1 ]]; then
	not_ok "an unknown core: not reported in one line"
else
	reported "an unknown core" "knows no core" "$work/target.log"
fi

# Reads the output of `make -n` only: it should explain the next steps, and not fail in QEMU.
if make -n run BOARD=bluepill >"$work/run.log" 2>&1 && grep -qF "has no emulator" "$work/run.log" &&
	! grep -qF run.sh "$work/run.log"; then
	ok "a board without an emulator is reported"
else
	not_ok "a board without an emulator: not reported, but $(tail -n 1 "$work/run.log")"
fi

fails "no fragment" link.ld '/INCLUDE/d' "undefined reference to 'bareprof_text_start'"
fails "the fragment after .text" link.ld '/INCLUDE/d; s/^ *\.ARM\.exidx/INCLUDE bareprof.ld\n&/' \
	"bareprof: INCLUDE bareprof.ld before .text, not after it"
fails "no folder of the fragment" Makefile 's/ -L [^ ]*//' "cannot open linker script file bareprof.ld"
fails "no names for the memories" link.ld '/REGION_ALIAS/d' "memory region 'BAREPROF_ROM' not declared"
fails "no block" sampling.c '/^BAREPROF_DEFINE/d' "undefined reference to 'bareprof_block'"
fails "a second block" work.c \
	'1i#include <bareprof/bareprof.h>\nBAREPROF_DEFINE(64, BAREPROF_BINS(64), .board = "second");' \
	"multiple definition of 'bareprof_block'"
fails "a number of arcs other than a power of two" sampling.c 's/DEFINE(64/DEFINE(100/' \
	'static assertion failed: "bareprof: arcs must be'
fails "a number of granules other than a power of two" sampling.c 's/GRANULES(256/GRANULES(100/' \
	'static assertion failed: "bareprof: numbers of the store'
fails "an acknowledge that ignores the distance" sampling.c 's/(uint32_t clock_units)/(void)/; s/clock_units - 1/PERIOD - 1/' \
	'static assertion failed: "bareprof: acknowledge is void'
fails "no library" Makefile 's/ [^ ]*libbareprof\.a//' "undefined reference to '__gnu_mcount_nc'"
fails "-pg for the linker" Makefile 's/^LDFLAGS = /&-pg /' "cannot find -lc_p"
fails "a library for another float ABI" core.mk 's/^CORE = .*/CORE = arm_m-cortex-m4/' "uses VFP register arguments"
fails "a library without contexts" Makefile 's/ -pg/& -DBAREPROF_CONTEXTS=4/' \
	"undefined reference to 'bareprof_init_with_contexts'"
fails "a library without slices" Makefile 's/ -pg/& -DBAREPROF_STACKS=4/' \
	"undefined reference to 'bareprof_init_with_stacks'"
fails "a library without a filter" Makefile 's/ -pg/& -DBAREPROF_STACKS=4 -DBAREPROF_STACK_FILTER=64/' \
	"undefined reference to 'bareprof_init_with_filtered_stacks'"
fails "an unwind table without a path tree" sampling.c '$aBAREPROF_UNWIND_TABLE(512);' \
	"BAREPROF_UNWIND_TABLE needs -DBAREPROF_PATHS"

fails "a path tree of one node" Makefile 's/ -pg/& -DBAREPROF_PATHS=1/' "bareprof: BAREPROF_PATHS is a power of two"

if mistaken "no call of bareprof_init()" sampling.c '/bareprof_init()/d'; then
	run --until done
	reported "no call of bareprof_init()" "has the firmware called bareprof_init()?" "$folder/pull.log"
else
	not_ok "no call of bareprof_init(): not built"
fi

# uncounted NAME OPTIONS REASON: with these options in place of -pg the firmware runs, and the report has the reason for
# no calls.
uncounted() {
	if mistaken "$1" Makefile "s/ -pg/ $2/" && run --until done; then
		build/bareprof report "$folder/fw.elf" "$folder/run.bprof" >"$folder/report" 2>&1
		reported "$1" "calls no hook, because $3" "$folder/report"
	else
		not_ok "$1: no profile"
	fi
}

uncounted "nothing compiled with -pg" "-g" "no file was compiled with -pg"
uncounted "-pg for LTO, but not for the linker" "-pg -g -flto" "link-time optimisation dropped the calls"

if mistaken "no build-id" Makefile 's/ -Wl,--build-id//' && run --until done; then
	build/bareprof info "$folder/run.bprof" >"$folder/info"
	reported "no build-id" "identity    none" "$folder/info"
	# Only the block, as any tool dumps it, without the checks of pull.
	size=$((16#$(readelf -SW "$folder/fw.elf" | sed -n 's/.* \.bareprof  *[A-Z]* *\([0-9a-f]* *\)\{2\}\([0-9a-f]*\) .*/\2/p')))
	head -c "$size" "$folder/run.bprof" >"$folder/dump.bprof"
	build/bareprof report "$folder/fw.elf" "$folder/dump.bprof" >"$folder/report" 2>&1
	reported "a dump without build-id" "identity not checked" "$folder/report"
else
	not_ok "no build-id: no profile"
fi

# The build-id and the recorder precede the vectors: the core reads them as its stack pointer and reset handler.
if mistaken "the fragment before the vectors" link.ld '/INCLUDE/d; s/^ *\.vectors/INCLUDE bareprof.ld\n&/' &&
	! run --timeout 2 --until done && grep -qF "no line \"done\"" "$folder/pull.log" &&
	grep -qF "the core does not start" docs/PORTING.md; then
	ok "the fragment before the vectors keeps the core from starting"
else
	not_ok "the fragment before the vectors: the core starts"
fi
exit $((failures != 0))
