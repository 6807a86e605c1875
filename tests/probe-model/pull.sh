#!/bin/bash
# SPDX-License-Identifier: MIT
# pull.sh UMOCKDEV FOLDER TOOL: captures of a firmware in QEMU (firmware.sh): through models of a probe and a target, directly
# and by OpenOCD, and from QEMU. The capture of a halted machine equals the memory that QEMU saves; that of a running
# machine is between what QEMU saves before and after.
source tests/probe-model/captures.sh

# entry_of FUNCTION: the names of its callers and callees in the call graph, sorted.
entry_of() {
	"$tool" report "$MODEL_ELF" "$capture" | sed -n '/^Call graph/,/^Losses/p' | awk -v name="$1" '
		{ sub(/ via [^ ]*$/, "") }
		/^----/ { if (is_it) print others; is_it = 0; others = ""; next }
		/^\[/ { is_it = $(NF - 1) == name; next }
		NF { others = others " " $(NF - 1) }' | tr ' ' '\n' | sort | xargs
}

expect_entry() {
	local names
	names=$(entry_of "$1")
	[[ $names == "$2" ]]
	verdict $? "the call graph has the callers and callees of $1" "$names, not $2"
}

# --- What any probe can do

# ticks_in FILE: the ticks of the block at its beginning.
ticks_in() { od -An -tu4 -j60 -N4 "$folder/$1"; }

# The profile is stopped and started.
expect_control() {
	save running cont
	pull $scheme --stop
	run probe "${usual[@]}" -- "${words[@]}"
	save stopped cont
	is_saved_but_a_call stopped && grep -q ', stopped$' "$output" && (($(ticks_in stopped) > $(ticks_in running)))
	verdict $? "--stop stops the profile of a running machine" "it does not, or different bytes"
	expect_quiet "--stop"
	pull $scheme --start
	run probe "${usual[@]}" -- "${words[@]}"
	save started cont
	(($(ticks_in started) > $(ticks_in stopped)))
	verdict $? "--start continues it" "it does not"
}

# expect_series ANSWERS: captures in a row, and a signal while memory is read. ANSWERS: number of the answer after which the
# probe is unplugged, in the first of two captures.
expect_series() {
	pull $scheme --watch 0.2 --count 3
	run probe "${usual[@]}" -- "${words[@]}" && ! [[ -e $capture ]] &&
		ticks=$(for i in 1 2 3; do "$tool" info "$folder/run-000$i.bprof" | sed -n 's/^  ticks *\([0-9]*\).*/\1/p'; done) &&
		[[ $(wc -w <<<"$ticks") == 3 ]] && sort -nuc <<<"$ticks"
	verdict $? "three captures are taken in a row" "ticks ${ticks-}"
	expect_quiet "three captures in a row" writes=0 protocol-errors=0

	rm -f "$folder"/run*
	pull $scheme --halt
	run probe "${usual[@]}" signal=1000 -- "${words[@]}"
	status=$?
	[[ $status == 1 && $(<"$output") == "bareprof: interrupted" && -z $(compgen -G "$folder/run*") ]] &&
		has_counts connected=0 violations=0 halts=1 && is_running
	verdict $? "a signal ends a pull, which disconnects and leaves no file" "status $status, $(ls "$folder")"

	rm -f "$folder"/run*
	pull $scheme --halt --reset-target --watch 0.2 --count 2
	run timeout 300 "$umockdev" --plug-in-again --counts "$counts" "${usual[@]}" --unplug-after $1 $MODEL_TARGET -- "${words[@]}" &&
		grep -q 'left halted' "$output" && is_running && has_counts resets=1
	verdict $? "a core left halted by unplugging runs again, and is not reset twice" "$(ls "$folder")"
}

[[ $scheme == cmsis-dap ]] || {
	source tests/probe-model/pull-$scheme.sh
	exit
}

# --- Each source

# expect_packets SIZE FLOOR: a transfer takes 46 clocks, and N words in a packet take N + 1 transfers, because an access port
# answers one transfer late: 46.4 clocks a word for the 127 words in a packet of 512 bytes, 49.1 for the 15 in a packet of 64
# bytes.
expect_packets() {
	expect_both "by packets of $1" probe --packet "$1" -- "${words[@]}"
	expect_quiet "by packets of $1" writes=0 protocol-errors=0 in-flight-most=4
	expect_clocks "by packets of $1" "$2"
}

pull cmsis-dap
wants usual && expect_packets 512 464
wants other || exit 0

expect_packets 64 491
expect_packets 1024 464
expect_both "by reports" probe --v1 -- "${words[@]}"
expect_quiet "by reports" writes=0 protocol-errors=0

for packet in 64 512; do
	expect_both "with an empty packet after each full one of $packet" probe --packet $packet --empty 1 -- "${words[@]}"
	grep -q ', 0 of [0-9]* requests again$' "$output"
	verdict $? "with an empty packet after each full one of $packet: no request is repeated" "some are"
done
expect_running "by packets, for the report" probe --packet 512 -- "${words[@]}"
expect_entry filter_window "biquad_run find_records fir_step"
expect_entry send_message "message_begin message_check message_finish message_put_number run_round"
expect_entry sort_records "rank_records run_round sift_down"

expect_both "from an RP2350" probe --packet 512 rp2350=1 -- "${words[@]}"
expect_quiet "from an RP2350" writes=0 protocol-errors=0 in-flight-most=4
# Reading the ROM tables takes some 3,000 clocks.
expect_clocks "from an RP2350" 472
expect_both "through ROM tables that list each other" probe dpidr=0x4c013477 ap=0x2000 rom=cyclic -- "${words[@]}"
expect_both "from an RP2040" probe --packet 512 rp2040=1 -- "${words[@]}"
expect_quiet "from an RP2040" writes=0 rescues=0 in-flight-most=4

pull 'openocd:localhost:{port},timeout=60'
expect_both "by OpenOCD" probe --packet 512 -- tests/probe-model/serve.sh tcl "${openocd[@]}" -- "${words[@]}"
expect_quiet "by OpenOCD"
# Both are part of QEMU. Its gdb server resumes a halted machine.
pull "qemu:$MODEL_QMP"
expect_both "by QEMU's monitor" "${words[@]}"
pull "gdb:127.0.0.1:$GDB_PORT"
expect_both "by QEMU's gdb server" "${words[@]}"

pull cmsis-dap --transport=jtag
# A scan takes 39 clocks.
for packet in 64 512; do
	expect_both "over JTAG, in packets of $packet" probe --packet "$packet" -- "${words[@]}"
	expect_quiet "over JTAG, in packets of $packet" writes=0 protocol-errors=0 in-flight-most=4
	expect_clocks "over JTAG, in packets of $packet" 394
done

expect_both "over JTAG, from a debug port of version 3" probe --packet 512 dpidr=0x4c013477 ap=0x2000 ir=8 -- "${words[@]}"
expect_quiet "over JTAG, from a debug port of version 3" writes=0 protocol-errors=0

# --- Packets in flight

pull cmsis-dap
for number in 1 2 4 8; do
	max=$((number < 4 ? number : 4))
	run probe --count "$number" -- "${words[@]}" && has_counts in-flight-most=$max violations=0
	verdict $? "a probe that holds $number packets has $max in flight" "they are not"
done
for of in 0x0219,1 0x0220,4; do
	run probe --vendor 0x2e8a --product 0x000c --release "${of%,*}" -- "${words[@]}" && has_counts in-flight-most=${of#*,}
	verdict $? "a Debug Probe of release ${of%,*} has ${of#*,} packets in flight" "they are not"
done

# --- Which probe

for option in "--packet 64" --v1; do
	run probe $option -- "$tool" devices
	grep -q '^cmsis-dap:P77  .*Example probe CMSIS-DAP' "$output"
	verdict $? "the probe is listed ($option)" "it is not"
done
run "$umockdev" --twin Q88 $MODEL_TARGET -- "${words[@]}"
[[ $? == 1 && ! -e $capture ]] && grep -q 'cmsis-dap:P77' "$output" && grep -q 'cmsis-dap:Q88' "$output"
verdict $? "two probes are ambiguous, and both are named" "output"
pull cmsis-dap:P77
expect_running "from one of two probes" "$umockdev" --twin Q88 $MODEL_TARGET -- "${words[@]}"

expect_control
expect_series 80
