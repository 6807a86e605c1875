#!/bin/bash
# SPDX-License-Identifier: MIT
# pull.sh UMOCKDEV FOLDER TOOL: beside a firmware that runs in QEMU (firmware.sh), the tool takes captures of it: through
# the models of a probe and a target, itself and by OpenOCD, and without them from QEMU. A machine that stands still gives
# byte for byte what QEMU saves of its memory; of one that runs a capture lies between what it saves before and after.
source tests/probe-model/support.sh

# pull SOURCE [OPTION]...: for the end of a command.
pull() {
	words=("$tool" pull "$1" -e "$MODEL_ELF" -o "$capture" "${@:2}")
}

# expect_still NAME COMMAND [ARGUMENT]...
expect_still() {
	local name="$1: of a machine that stands still"
	shift
	save saved
	if ! run "$@"; then
		complain "$name" "no capture"
	elif ! is_saved saved; then
		complain "$name" "other bytes"
	else
		echo "ok $name"
	fi
}

# expect_running NAME COMMAND [ARGUMENT]...
expect_running() {
	local name="$1: of a machine that runs"
	shift
	save before cont
	if ! run "$@" || ! save after cont; then
		complain "$name" "no capture"
	elif ! perl tests/probe-model/between.pl "$folder/before" "$capture" "$folder/after" >>"$said" 2>&1; then
		complain "$name" "what was not there"
	else
		echo "ok $name"
	fi
}

expect_both() {
	expect_running "$@"
	expect_still "$@"
}

# expect_quiet NAME [COUNT=NUMBER]...: the target was not disturbed, and the probe was asked for nothing that it cannot do.
expect_quiet() {
	has_counts collisions=0 violations=0 resets=0 halts=0 connected=0 "${@:2}"
	verdict $? "$1: nothing else was done to the target" "the counts are"
}

# expect_clocks NAME FLOOR: what the wires needed for a word at most, all that it takes to connect included.
expect_clocks() {
	local clocks words
	clocks=$(count clocks) words=$(count words)
	if ((words > 3000 && clocks * 1000 <= words * $2 * 105)); then
		echo "ok $1: $((clocks * 10 / words)) tenths of a clock a word"
	else
		complain "$1: clocks of a word" "$clocks clocks, $words words"
	fi
}

# entry_of FUNCTION: the names in its entry of the call graph, without its own, sorted.
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

# --- Each source

pull cmsis-dap
# A transfer takes 46 clocks, and N words in a packet take N + 1 of them, as an access port answers one transfer late: 46.4
# clocks a word for the 127 words of a packet of 512 bytes, 49.1 for the 15 of 64 bytes.
for of in 64,491 512,464 1024,464; do
	packet=${of%,*}
	expect_both "by packets of $packet" probe --packet "$packet" -- "${words[@]}"
	expect_quiet "by packets of $packet" writes=0 protocol-errors=0 in-flight-most=4
	expect_clocks "by packets of $packet" "${of#*,}"
done
expect_both "by reports" probe --v1 -- "${words[@]}"
expect_quiet "by reports" writes=0 protocol-errors=0

for packet in 64 512; do
	expect_both "with an empty packet behind each full one of $packet" probe --packet $packet --empty 1 -- "${words[@]}"
	grep -q ', 0 of [0-9]* requests again$' "$said"
	verdict $? "with an empty packet behind each full one of $packet: none is lost" "some are"
done
expect_running "by packets, for the report" probe --packet 512 -- "${words[@]}"
expect_entry filter_window "biquad_run find_records fir_step"
expect_entry send_message "message_begin message_check message_finish message_put_number run_round"
expect_entry sort_records "rank_records run_round sift_down"

pull 'openocd:localhost:{port},timeout=60'
expect_both "by OpenOCD" probe --packet 512 -- tests/probe-model/serve.sh tcl "${openocd[@]}" -- "${words[@]}"
expect_quiet "by OpenOCD"
# Both are of QEMU's own making; its gdb server lets a machine go on.
pull "qemu:$MODEL_QMP"
expect_both "by QEMU's monitor" "${words[@]}"
pull "gdb:127.0.0.1:$GDB_PORT"
expect_both "by QEMU's gdb server" "${words[@]}"

# --- Packets in flight

pull cmsis-dap
for number in 1 2 4 8; do
	most=$((number < 4 ? number : 4))
	run probe --count "$number" -- "${words[@]}" && has_counts in-flight-most=$most violations=0
	verdict $? "of a probe with room for $number packets $most are in flight" "they are not"
done
for of in 0x0219,1 0x0220,4; do
	run probe --vendor 0x2e8a --product 0x000c --release "${of%,*}" -- "${words[@]}" && has_counts in-flight-most=${of#*,}
	verdict $? "of a Debug Probe of release ${of%,*} ${of#*,} packets are in flight" "they are not"
done

# --- The profile is stopped and started

# ticks_in FILE: of the block that begins it.
ticks_in() { od -An -tu4 -j60 -N4 "$folder/$1"; }

save running cont
pull cmsis-dap --stop
run probe -- "${words[@]}"
save stopped cont
is_saved_but_a_call stopped && grep -q ', stopped$' "$said" && (($(ticks_in stopped) > $(ticks_in running)))
verdict $? "--stop stops the profile of a machine that runs" "it does not, or other bytes"
expect_quiet "--stop"
pull cmsis-dap --start
run probe -- "${words[@]}"
save started cont
(($(ticks_in started) > $(ticks_in stopped)))
verdict $? "--start lets it go on" "it does not"
pull cmsis-dap

# --- Which probe

for option in --packet=64 --v1; do
	run probe $option -- "$tool" devices
	grep -q '^cmsis-dap:P77  .*Example probe CMSIS-DAP' "$said"
	verdict $? "the probe is listed ($option)" "it is not"
done
run "$umockdev" --twin Q88 $MODEL_TARGET -- "${words[@]}"
[[ $? == 1 && ! -e $capture ]] && grep -q 'cmsis-dap:P77' "$said" && grep -q 'cmsis-dap:Q88' "$said"
verdict $? "of two probes none is taken, both are named" "it said"
pull cmsis-dap:P77
expect_running "by one of two probes" "$umockdev" --twin Q88 $MODEL_TARGET -- "${words[@]}"

# --- Captures in a row, and a signal

pull cmsis-dap --watch 0.2 --count 3
run probe --packet 512 -- "${words[@]}" && ! [[ -e $capture ]] &&
	ticks=$(for i in 1 2 3; do "$tool" info "$folder/run-000$i.bprof" | sed -n 's/^  ticks *\([0-9]*\).*/\1/p'; done) &&
	[[ $(wc -w <<<"$ticks") == 3 ]] && sort -nuc <<<"$ticks"
verdict $? "three captures are taken in a row" "ticks ${ticks-}"
expect_quiet "three captures in a row" writes=0 protocol-errors=0

rm -f "$folder"/run*
pull cmsis-dap --halt
# 40 ms for each of some 300 packets: it is in the middle after 4 s.
run probe --count 1 --slow 40 -- timeout --foreground --preserve-status -s INT 4 "${words[@]}"
status=$?
[[ $status == 1 && $(<"$said") == "bareprof: interrupted" && -z $(compgen -G "$folder/run*") ]] &&
	has_counts connected=0 violations=0 halts=1 && is_running
verdict $? "a signal ends a pull, which leaves nothing and takes its leave" "status $status, $(ls "$folder")"

rm -f "$folder"/run*
pull cmsis-dap --halt --reset-target --watch 0.2 --count 2
run timeout 120 "$umockdev" --plug-in-again --counts "$counts" --packet 512 --unplug-after 80 $MODEL_TARGET -- "${words[@]}" &&
	grep -q 'left halted' "$said" && is_running && has_counts resets=1
verdict $? "a core that was left halted as the probe was unplugged runs again, and is reset no second time" "$(ls "$folder")"
