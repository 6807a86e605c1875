# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Captures through the model of an ST-Link, for pull.sh.

expect_kind() {
	expect_both "through an ST-Link $1" probe --kind $1 -- "${words[@]}"
	expect_quiet "through an ST-Link $1" writes=0 protocol-errors=0
}

pull stlink
wants usual && expect_kind v2-1
wants other || exit 0

expect_kind v2
expect_kind v3
expect_entry send_message "message_begin message_check message_finish message_put_number run_round"

# --- Releases of the firmware

for release in 15 22 24 28 32; do
	expect_running "with firmware V2J$release" probe --kind v2 --release $release -- "${words[@]}"
	expect_quiet "with firmware V2J$release" writes=0 protocol-errors=0
done
expect_running "with firmware V3J1" probe --kind v3 --release 1 -- "${words[@]}"
expect_quiet "with firmware V3J1" writes=0 protocol-errors=0

refuses "firmware J14 is too old" 'V2J14 is too old: update it with STM32CubeProgrammer' --release 14 -- "${words[@]}"
refuses "firmware for STM8 is refused" 'is for STM8 only' --release 0 -- "${words[@]}"
refuses "an ST-Link/V1 is refused" 'an ST-Link/V1 is not supported' --kind v1 -- "${words[@]}"
refuses "a boot loader is refused" 'waits for new firmware' --mode 4 -- "${words[@]}"
pull stlink --ap 1
refuses "firmware J31 cannot choose an access port" 'V2J31 reaches access port 0 only: update it' --release 31 ap=1 -- "${words[@]}"
pull stlink --speed 1M
refuses "firmware J21 has a fixed clock" 'V2J21 is fixed at 1.8 MHz: update it' --release 21 -- "${words[@]}"

# --- Clocks

# expect_clock KIND SPEED KILOHERTZ TEXT
expect_clock() {
	pull stlink --speed $2
	run probe --kind $1 -- "${words[@]}" && grep -q " at $4, " "$output" && has_counts kilohertz=$3
	verdict $? "an ST-Link $1 is asked for $2 and works at $4" "another clock"
}

expect_clock v2 10M 4000 '4 MHz'
expect_clock v2 1M 950 '950 kHz'
expect_clock v2 100k 100 '100 kHz'
expect_clock v3 10M 8000 '8 MHz'
expect_clock v3 3.2M 1000 '1 MHz'

# --- Modes in which an earlier program left the probe

pull stlink
for mode in 0 1 2 3; do
	expect_running "from mode $mode" probe --mode $mode -- "${words[@]}"
	expect_quiet "from mode $mode"
done
expect_running "from a probe that disconnects to leave DFU" "$umockdev" --plug-in-again --counts "$counts" --mode 0 --re-enumerate \
	$MODEL_TARGET -- "${words[@]}"
expect_quiet "from a probe that disconnects to leave DFU"
refuses "a probe that does not come back is reported" 'no such' --mode 0 --re-enumerate -- "${words[@]}"

expect_control
# Some 30 answers.
expect_series 28

# --- Which probe

for kind in v2 v3; do
	run probe --kind $kind -- "$tool" devices
	grep -q '^stlink:066EFF323535474B43152839  .*, serial 066EFF323535474B43152839$' "$output"
	verdict $? "an ST-Link $kind is listed" "it is not"
done
raw=$'\x57\xff\x72\x06\x72\x65\x57\x57\x42\x13\x20\x67' shown=57FF72067265575742132067
run probe --serial "$raw" -- "$tool" devices
grep -q "^stlink:$shown  " "$output"
verdict $? "a serial number of raw bytes is shown in hexadecimal" "it is not"
run probe --serial "$raw" -- st-info --serial
grep -qx "$shown" "$output"
verdict $? "st-info shows the same" "it does not"
pull stlink:$shown
expect_running "from the probe with this number" probe --serial "$raw" -- "${words[@]}"
pull stlink
run "$umockdev" --twin Q88 $MODEL_TARGET -- "${words[@]}"
[[ $? == 1 && ! -e $capture ]] && grep -q 'stlink:066EFF' "$output" && grep -q 'stlink:Q88' "$output"
verdict $? "two probes are ambiguous, and both are named" "output"
pull stlink:066EFF323535474B43152839
expect_running "from one of two probes" "$umockdev" --twin Q88 $MODEL_TARGET -- "${words[@]}"
pull stlink:0483:374b
expect_running "from a probe without a serial number" probe --serial "" -- "${words[@]}"
