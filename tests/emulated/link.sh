#!/bin/bash
# SPDX-License-Identifier: MIT
# The block over the UART of the board, with no probe, through a pseudo-terminal and a TCP port. A stopped profile
# equals the one that gdb reads; a running one is controlled; text passes between frames; a block that the firmware sends
# unasked becomes a capture. Calls itself as `link.sh WHAT BOARD FIRMWARE.elf SOURCE` while a firmware runs, with the port of its
# gdb server in GDB_PORT.
[[ $# -gt 0 ]] && work_of=$2-$1-${4%%:*}
source tests/emulated/support.sh

# pull SOURCE OUTPUT [OPTION]...
pull() {
	local from=$1 output=$2
	shift 2
	build/bareprof pull "$from" -e "$elf" -o "$output" "$@" 2>"$output.errors"
}

# same_block NAME FIRST SECOND: the captures have the same block, except for the dither.
same_block() {
	if [[ $(counts_of "$2" | wc -c) -gt 1000 ]] && cmp <(counts_of "$2") <(counts_of "$3") >"$work/difference"; then
		ok "$1"
	else
		not_ok "$1: $(cat "$work/difference" "$2.errors" "$3.errors")"
	fi
}

visit_stopped() {
	pull "$target" "$work/link.bprof"
	pull "gdb:127.0.0.1:$GDB_PORT" "$work/gdb.bprof"
	same_block "a stopped profile is pulled as gdb reads it: $where" "$work/link.bprof" "$work/gdb.bprof"
}

# The lines of a console that also carries frames, from the first whole one to the last: `demo: round N`, each N 16 more
# than the previous one.
visit_console() {
	local name="text between frames is complete and unchanged: $where" lines seconds
	# A firmware on a busy machine is slower.
	for seconds in 0.5 2 8 32; do
		pull "$target" "$work/link.bprof" --console --start --wait $seconds >"$work/text"
		[[ $(wc -l <"$work/text") -lt 4 ]] || break
	done
	if lines=$(perl -0777 -ne '
			s/^[^\n]*\n//; s/[^\n]*$//;
			my @lines = split /\n/;
			my ($first) = (shift(@lines) // q()) =~ /^demo: round (\d+)$/ or die "no line\n";
			$_ eq "demo: round " . ($first += 16) or die "$_ instead of round $first\n" for @lines;
			@lines > 1 or die "only @lines\n";
			print scalar @lines' "$work/text" 2>"$work/why"); then
		ok "$name ($lines lines)"
	else
		not_ok "$name: $(cat "$work/why" "$work/link.bprof.errors")"
	fi
}

if [[ $# -gt 0 ]]; then
	elf=$3 target=$4 where="$2 over ${4%%:*}"
	"visit_$1"
	exit $((failures != 0))
fi

# with_firmware KIND SCRIPT WHAT [OPTION]...: runs the script while the firmware runs with the KIND of serial line.
declare -A scheme_of=([pty]=uart [tcp]=tcp)
with_firmware() {
	local kind=$1 script=$2 what=$3
	shift 3
	tests/qemu/run.sh --timeout 300 --serial "$kind" "$@" "$board" "$elf" \
		bash "$script" "$what" "$board" "$elf" "${scheme_of[$kind]}:{serial},timeout=30" || failures=$((failures + 1))
}

# A block that the firmware sent unasked, recorded with all its console output, and the block that gdb reads.
recorded() {
	local log=$work/$board-sent.log
	tests/qemu/run.sh --timeout 300 --until 'demo: done' --console "$log" "$board" "$elf" \
		build/bareprof pull 'gdb:127.0.0.1:{port}' -e "$elf" -o "$log-gdb.bprof" 2>"$log-gdb.bprof.errors"
	pull "file:$log" "$log.bprof"
	same_block "a recorded stream gives the block that was sent: $board" "$log.bprof" "$log-gdb.bprof"
}

while read -r board firmware; do
	elf=build/firmware/$board/$firmware.elf
	for kind in pty tcp; do
		case $firmware in
		*+LIVE-1)
			# QEMU looks each second whether the terminal was opened. One board shows that the tool controls a
			# profile through a terminal, too; the firmware's part is the same.
			[[ $kind == tcp || $board == microbit ]] || continue
			with_firmware "$kind" tests/emulated/live.sh session
			with_firmware "$kind" "$0" console
			;;
		*+SEND-1) [[ $kind == tcp ]] || recorded ;;
		*) with_firmware "$kind" "$0" stopped --until 'demo: done' ;;
		esac
	done
done < <(firmware_of_test)
exit $((failures != 0))
