# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Captures through the model of a J-Link, for pull.sh.

# expect_kind TRANSPORT KIND: over SWD, a word of a window of 1 KiB takes 46.4 clocks, with TAR before and RDBUFF after the
# window; over JTAG, a scan takes 39.
expect_kind() {
	local floor
	[[ $1 == swd ]] && floor=464 || floor=394
	pull jlink --transport=$1
	expect_both "through a J-Link $2, $1" probe --kind $2 -- "${words[@]}"
	expect_quiet "through a J-Link $2, $1" writes=0 protocol-errors=0
	expect_clocks "through a J-Link $2, $1" $floor
}

wants usual && expect_kind swd ob
wants other || exit 0

for kind in v8 v9 v11; do
	expect_kind swd $kind
done
for kind in v8 v9 ob v11; do
	expect_kind jtag $kind
done
expect_entry send_message "message_begin message_check message_finish message_put_number run_round"

# --- What probes have

pull jlink
for memory in 512 1000 1024 4096; do
	expect_running "through a probe with $memory bytes of memory" probe --memory $memory -- "${words[@]}"
	expect_quiet "through a probe with $memory bytes of memory" writes=0 protocol-errors=0
done
expect_running "through a probe that does not report its memory or speeds" probe --caps 0x88020033 -- "${words[@]}"
expect_quiet "through a probe that does not report its memory or speeds" writes=0 protocol-errors=0
expect_running "through a probe that has JTAG only" probe --interfaces 1 -- "${words[@]}"
expect_quiet "through a probe that has JTAG only" writes=0 protocol-errors=0
expect_running "through an old probe with the fewest commands" probe --hardware 40000 --caps 3 -- "${words[@]}"
expect_quiet "through an old probe with the fewest commands" writes=0 protocol-errors=0
# Only the core whose debug port is selected answers.
pull jlink --core 1
expect_running "through the second core's debug port" probe rp2040=1 -- "${words[@]}"
pull jlink

refuses "a probe without SWD and JTAG is refused" 'the probe has neither SWD nor JTAG' --interfaces 8 -- "${words[@]}"
refuses "a probe with too little memory is refused" 'the probe is out of memory' --memory 100 -- "${words[@]}"
refuses "a target without power is suspected" 'the probe measures 0.3 V at VTref (pin 1): is the target powered' --millivolts 312 unplug=1 -- \
	"${words[@]}"
refuses "a probe that another program uses is reported" 'cannot open it: another program uses it' -- \
	/usr/bin/python3 tests/usb/claimed.py "${words[@]}"

# --- Clocks

# expect_clock SPEED KILOHERTZ TEXT [OPTION]...
expect_clock() {
	pull jlink --speed $1
	run probe "${@:4}" -- "${words[@]}" && grep -q " at $3, " "$output" && has_counts kilohertz=$2
	verdict $? "a J-Link ${4-} ${5-} is asked for $1 and works at $3" "another clock"
}

expect_clock 10M 4000 '4 MHz'
expect_clock 3.2M 3200 '3.2 MHz'
expect_clock 3M 3000 '2.66667 MHz'
expect_clock 25k 25 '25 kHz'
expect_clock 100M 65534 '50 MHz' --base 200000000 --divider 2
expect_clock 2M 2000 '2 MHz' --caps 0x88020033
expect_clock 2M 2000 '2 MHz' --base 0

pull jlink
expect_control
# Some 60 answers. The last 20 come while the core is halted.
expect_series 54

# --- Which probe

for kind in v8 v11; do
	run probe --kind $kind -- "$tool" devices
	grep -q '^jlink:000683123456  .*J-Link, .*, serial 000683123456$' "$output"
	verdict $? "a J-Link $kind is listed" "it is not"
done
pull jlink
run "$umockdev" --twin 000000000088 $MODEL_TARGET -- "${words[@]}"
[[ $? == 1 && ! -e $capture && $(wc -l <"$output") == 1 ]] && grep -q 'jlink:000683123456' "$output" && grep -q 'jlink:000000000088' "$output"
verdict $? "two probes are ambiguous, and both are named" "output"
for serial in 683123456 000683123456; do
	pull jlink:$serial
	expect_running "from one of two probes, named $serial" "$umockdev" --twin 000000000088 $MODEL_TARGET -- "${words[@]}"
done
pull jlink:1366:1015
expect_running "from a probe without a serial number" probe --serial "" -- "${words[@]}"
