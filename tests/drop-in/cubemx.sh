#!/bin/bash
# SPDX-License-Identifier: MIT
# A project as STM32CubeMX writes it, with the drop-in files and the lines that docs/PORTING.md shows. Its profile must
# have all calls, and the times of functions must be those that the library measures. Another profile is pulled over the
# project's UART.
source tests/porting/support.sh
elf=build/filter.elf tool=$PWD/build/bareprof

# added FOLDER: the project with bareprof, whose profile ends with the work.
added() {
	local flags
	rm -rf "$1" && mkdir -p "$1" && cp -r tests/drop-in/cubemx/. "$1" || return
	cp build/drop-in/bareprof.h build/drop-in/bareprof_timer_stm32.h "$1/Core/Inc"
	cp build/drop-in/bareprof.c build/drop-in/bareprof_entry.S "$1/Core/Src"
	flags=$(sed -n 's/^    \(CFLAGS += .*\)/\1/p' docs/PORTING.md | head -n 1)
	sed -i "s,^C_SOURCES =,& Core/Src/bareprof.c,; s,^ASM_SOURCES =,& Core/Src/bareprof_entry.S,; s,^BUILD =,$flags\n&," "$1/Makefile"
	shown docs/PORTING.md main.c lines >"$1/lines" && sed -i "/^#include \"main.h\"/r $1/lines" "$1/Core/Src/main.c"
	shown docs/PORTING.md 'main()' lines | sed 's/^/\t/' >"$1/lines" && sed -i "/filter_init();/r $1/lines" "$1/Core/Src/main.c"
	sed -i 's/^\tconsole_write/\tbareprof_stop();\n&/' "$1/Core/Src/main.c"
}

# with_library FOLDER: the project, changed to the library and the linker fragment.
with_library() {
	added "$1" && rm "$1"/Core/*/bareprof* || return
	sed -i "s,Core/Src/bareprof[._a-z]*[cS],,; s,^CFLAGS +=.*,& -I$PWD/include," "$1/Makefile"
	echo "LDFLAGS += -L$PWD/linker -Wl,--build-id" >>"$1/Makefile"
	sed -i "s,^\$(BUILD)/\$(TARGET).elf:.*,LDFLAGS += $PWD/build/target/arm_m-cortex-m4f/libbareprof.a\n\n&," "$1/Makefile"
	sed -i 's,"bareprof_timer_stm32.h",<bareprof/timer_stm32.h>,' "$1/Core/Src/main.c"
	sed -i 's/^SECTIONS/REGION_ALIAS("BAREPROF_ROM", FLASH)\nREGION_ALIAS("BAREPROF_RAM", RAM)\n\n&/
		s/^  \.text :/INCLUDE bareprof.ld\n&/' "$1/STM32F405RGTX_FLASH.ld"
}

# with_link FOLDER: the project, with the lines that docs/CHANNELS.md adds for a polled UART.
with_link() {
	added "$1" || return
	cat >"$1/lines" <<'END'

static volatile uint32_t *const usart = (volatile uint32_t *)0x40011400u; /* USART6: SR, DR (RM0090 30.6) */

__attribute__((no_instrument_function)) static size_t uart_read(uint8_t *bytes, size_t size)
{
	size_t read = 0;

	while (read < size && (usart[0] & 0x20u) != 0) /* a byte was received */
		bytes[read++] = (uint8_t)usart[1];
	return read;
}

__attribute__((no_instrument_function)) static size_t uart_write(const uint8_t *bytes, size_t size)
{
	size_t written = 0;

	while (written < size && (usart[0] & 0x80u) != 0) /* room for another byte */
		usart[1] = bytes[written++];
	return written;
}

BAREPROF_LINK(128, .write = uart_write, .read = uart_read);
END
	sed -i "/^BAREPROF_TIMER/r $1/lines" "$1/Core/Src/main.c"
	sed -i 's/^\t\t;$/\t\tbareprof_poll();/' "$1/Core/Src/main.c"
}

# profiled PROJECT [SOURCE [RUN_OPTION]...]: builds the project in $work/PROJECT and pulls its profile to run.bprof,
# from the debug port unless SOURCE is given; all calls must be in it.
profiled() {
	local project=$1 folder=$work/$1 from=${2:-'gdb:127.0.0.1:{port}'} calls
	shift $(($# < 2 ? $# : 2))
	if ! make -C "$folder" >"$folder/make.log" 2>&1 || grep -q warning "$folder/make.log"; then
		not_ok "$project: not built: $(grep -m 1 -iE 'error|warning' "$folder/make.log")"
		exit 1
	fi
	if ! tests/qemu/run.sh --until done "$@" netduinoplus2 "$folder/$elf" "$tool" pull "$from" -e "$folder/$elf" \
		-o "$folder/run.bprof" >"$folder/pull.log" 2>&1 ||
		! "$tool" export json "$folder/$elf" "$folder/run.bprof" >"$folder/run.json" 2>>"$folder/pull.log"; then
		not_ok "$project: no profile: $(tail -n 1 "$folder/pull.log")"
		exit 1
	fi
	# 3,000 blocks of 64 samples.
	calls=$(/usr/bin/python3 -c '
import json, sys
profile = json.load(open(sys.argv[1]))
print(*sorted("%s=%s" % (f["name"], f["calls"]) for f in profile["functions"] if f["calls"]))' "$folder/run.json")
	if [[ $calls == "filter_block=3000 filter_sample=192000 insert_sample=189000 process_block=3000 read_samples=3000 sort_samples=3000" ]]; then
		ok "$project: all calls are counted"
	else
		not_ok "$project: $calls"
	fi
}

# same_times OLD NEW: no function takes more or less time in one project than in the other.
same_times() {
	"$tool" diff "$work/$1/$elf:$work/$1/run.bprof" "$work/$2/$elf:$work/$2/run.bprof" >"$work/$1-$2.txt" 2>&1
	if [[ $(grep -c ': .*[1-9][0-9],[0-9]* samples,' "$work/$1-$2.txt") == 2 ]] && grep -q '^No function changed' "$work/$1-$2.txt"; then
		ok "$2: the times are those of: $1 ($(sed -n 's/^New .*capture, \(.*\)/\1/p' "$work/$1-$2.txt"))"
	else
		not_ok "$2: the times are not those of: $1: $(grep -A 5 '^[0-9]* function\|^bareprof' "$work/$1-$2.txt")"
	fi
}

added "$work/copied"
profiled copied
with_library "$work/library"
profiled library
with_link "$work/link"
profiled link 'uart:{serial},timeout=60' --serial pty
same_times library copied
same_times copied link
exit $((failures != 0))
