#!/bin/bash
# SPDX-License-Identifier: MIT
# A project as STM32CubeMX writes it, to which the files are copied and the lines added that docs/PORTING.md shows. Its
# profile must have all calls, and no time of the recorder in other rows.
source tests/porting/support.sh
elf=build/filter.elf tool=$PWD/build/bareprof

# lines NAME: lines of the page, which belong into this file or function.
lines() {
	awk -v marker="<!-- lines: $1 -->" '
		!on && $0 == marker { on = 1; next }
		on && /^    / { print substr($0, 5); shown = 1; next }
		on && shown && !/^$/ { exit }
		on && shown { print "" }' docs/PORTING.md
}

# added FOLDER: the project with bareprof.
added() {
	local flags
	rm -rf "$1" && mkdir -p "$1" && cp -r tests/drop-in/cubemx/. "$1" || return
	cp build/drop-in/bareprof.h build/drop-in/bareprof_timer_stm32.h "$1/Core/Inc"
	cp build/drop-in/bareprof.c build/drop-in/bareprof_entry.S "$1/Core/Src"
	flags=$(sed -n 's/^    \(CFLAGS += .*\)/\1/p' docs/PORTING.md | head -n 1)
	sed -i "s,^C_SOURCES =,& Core/Src/bareprof.c,; s,^ASM_SOURCES =,& Core/Src/bareprof_entry.S,; s,^BUILD =,$flags\n&," "$1/Makefile"
	lines main.c >"$1/lines" && sed -i "/^#include \"main.h\"/r $1/lines" "$1/Core/Src/main.c"
	lines 'main()' | sed 's/^/\t/' >"$1/lines" && sed -i "/filter_init();/r $1/lines" "$1/Core/Src/main.c"
}

folder=$work/project
added "$folder"
if ! make -C "$folder" >"$folder/make.log" 2>&1 || grep -q warning "$folder/make.log"; then
	not_ok "the project is built: $(grep -m 1 -iE 'error|warning' "$folder/make.log")"
	exit 1
fi
ok "the project is built"
if ! tests/qemu/run.sh --until done netduinoplus2 "$folder/$elf" "$tool" pull 'gdb:127.0.0.1:{port}' -e "$folder/$elf" \
	-o "$folder/run.bprof" >"$folder/pull.log" 2>&1 ||
	! "$tool" export json "$folder/$elf" "$folder/run.bprof" >"$folder/run.json" 2>>"$folder/pull.log"; then
	not_ok "the project is profiled: $(tail -n 1 "$folder/pull.log")"
	exit 1
fi

# 3,000 blocks of 64 samples.
calls=$(/usr/bin/python3 -c '
import json, sys
profile = json.load(open(sys.argv[1]))
print(*sorted("%s=%s" % (f["name"], f["calls"]) for f in profile["functions"] if f["calls"]))' "$folder/run.json")
wanted="console_write=1 filter_block=3000 filter_sample=192000 insert_sample=189000 process_block=3000 read_samples=3000 sort_samples=3000"
if [[ $calls == "$wanted" ]]; then
	ok "all calls are counted"
else
	not_ok "all calls are counted: $calls, not $wanted"
fi
exit $((failures != 0))
