#!/bin/bash
# SPDX-License-Identifier: MIT
# rp2040js.sh FOLDER BOARD SAMPLING: firmware for the Raspberry Pi Pico in rp2040js (run.mjs, which is in FOLDER with the
# emulator). Captures come through the models of a probe and of an RP2040's debug ports, while the firmware runs. SAMPLING is
# the demo's build whose times are compared.
emulator=$1 board=$2 sampling=$3
work_of=$board
source tests/emulated/support.sh
if [[ -s $emulator/installed ]]; then
	ok "the suite was skipped: $(<"$emulator/installed")"
	exit
fi

# emulate FIRMWARE OUTPUT UNTIL COMMAND...: runs the firmware, and COMMAND once the console has the line UNTIL.
emulate() {
	local elf=build/firmware/$board/$1.elf output=$2 until=$3 start stop
	start=$(address_of "$elf" bareprof_start) stop=$(address_of "$elf" bareprof_stop)
	node "$emulator/run.mjs" "$output" "$start" "$stop" "$until" "$elf" "${@:4}"
}

# model OUTPUT: sets $model to the command that plugs in a probe, before "--".
model() { model=(build/probe-model/umockdev --counts "$1.counted" --packet 512 rp2040=1 "file=0x20000000,$1.ram"); }

# captured FIRMWARE OUTPUT: the capture of a firmware that ends like the demo, in OUTPUT.bprof, and its profile.
captured() {
	local elf=build/firmware/$board/$1.elf output=$2
	model "$output"
	emulate "$1" "$output" 'demo: done' "${model[@]}" -- build/bareprof pull cmsis-dap --core 0 -e "$elf" -o "$output.bprof" \
		>"$output.log" 2>&1 &&
		build/bareprof info "$output.bprof" | grep -q '^  ticks .*; adds up$' &&
		build/bareprof export json "$elf" "$output.bprof" >"$output.json" && return
	cat "$output.log" >&2
	return 1
}

output=$work/$board-calls name="calls in the profile equal the firmware's counts: $board"
if ! captured calls "$output"; then
	not_ok "$name: no profile"
elif ! difference=$(perl tests/emulated/calls.pl "$output.console" "$output.json"); then
	not_ok "$name: $difference"
else
	ok "$name ($difference)"
fi

output=$work/$board-demo
if captured $sampling "$output"; then
	readelf -sW build/firmware/$board/$sampling.elf >"$output.symbols"
	perl tests/emulated/self_times.pl "$board" "$output" || failures=$((failures + 1))
else
	not_ok "the profile of $sampling on $board: none was taken"
fi

output=$work/$board-live name="captures of a running firmware: $board"
model "$output"
emulate demo+LIVE-1 "$output" 'demo: round 16' "${model[@]}" -- build/bareprof pull cmsis-dap --core 0 \
	-e build/firmware/$board/demo+LIVE-1.elf -o "$output.bprof" --watch 0.5 --count 3 >"$output.log" 2>&1
ticks=$(for i in 1 2 3; do build/bareprof info "$output-000$i.bprof"; done | sed -n 's/^  ticks *\([0-9]*\):.*; adds up.*/\1/p')
if [[ $(wc -w <<<"$ticks") == 3 ]] && sort -nuc <<<"$ticks" && grep -q '^collisions 0$' "$output.counted"; then
	ok "$name (ticks" $ticks")"
else
	not_ok "$name: ticks $ticks: $(<"$output.log")"
fi

# On a busy computer the emulator may take longer to reach a tick than the seconds that are allowed for an answer.
name="a running firmware is stopped: $board"
if emulate demo+LIVE-1 "$output" 'demo: round 16' "${model[@]}" -- bash -c 'for i in {1..10}; do ! "$@" || exit 0; done; exit 1' stop \
	build/bareprof pull cmsis-dap --core 0 --stop -e build/firmware/$board/demo+LIVE-1.elf \
	-o "$output.bprof" >"$output.log" 2>&1 && grep -q ', stopped$' "$output.log"; then
	ok "$name"
else
	not_ok "$name: $(<"$output.log")"
fi
exit $((failures != 0))
