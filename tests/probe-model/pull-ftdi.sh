# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Captures through models of boards with an FTDI chip, for pull.sh.

# expect_kind KIND WIRES [LAYOUT]: over SWD, a word of a window of 1 KiB takes 46.4 clocks, with TAR before and RDBUFF after the
# window; over JTAG, a scan takes 39.
expect_kind() {
	local floor
	[[ $2 == swd ]] && floor=464 || floor=394
	pull "ftdi${3-}" --transport=$2
	expect_both "by $1, $2" probe --kind $1 --wires $2 -- "${words[@]}"
	expect_quiet "by $1, $2" writes=0 protocol-errors=0
	expect_clocks "by $1, $2" $floor
}

wants usual && expect_kind ft2232h swd
wants other || exit 0

while read -r kind wires layout; do
	expect_kind $kind $wires "$layout"
done <<'END'
ft232h swd
ft232h jtag
ft2232h jtag
ft4232h swd
ft4232h jtag
minimodule swd
tigard swd
tigard jtag
olimex jtag
olimex-swd swd :olimex-swd
esp-prog jtag :esp-prog
hifive1 jtag :hifive1
END
pull ftdi
expect_running "through a resistor" probe --resistor -- "${words[@]}"
expect_quiet "through a resistor" writes=0 protocol-errors=0
pull ftdi:esp-prog
expect_running "over JTAG, if the board has nothing else" probe --kind esp-prog --wires jtag -- "${words[@]}"
expect_entry send_message "message_begin message_check message_finish message_put_number run_round"

pull ftdi
refuses "an older chip is refused" 'this FTDI chip is not supported; use an FT232H' --kind ft2232d -- "${words[@]}"
for bytes in 1 3 63 1024; do
	refuses "a device with packets of $bytes bytes is refused" "not an FTDI chip: it states USB packets of $bytes bytes" --wire $bytes -- "${words[@]}"
done
pull ftdi:esp-prog --transport=swd
run probe --kind esp-prog --wires jtag -- "${words[@]}"
[[ $? == 2 && ! -e $capture && $(<"$output") == "bareprof: ftdi:FT77: this probe is not wired for SWD" ]] && has_counts connected=0
verdict $? "a board without SWD is refused" "output"
pull ftdi:esp-prog --connect-under-reset
refuses "a board without a reset pin is refused" 'layout esp-prog has no reset pin' --kind esp-prog --wires jtag -- "${words[@]}"
pull ftdi:ft2322h
refuses "a mistyped layout is reported with the layouts" '; there is ftdi:FT77; if a layout was meant, name one of ft232h, ' -- "${words[@]}"
pull ftdi:tigard
refuses "a layout of another chip is refused" ':0403:6010: no such' --kind ft232h -- "${words[@]}"
pull ftdi
refuses "a chip that another program uses is reported" 'cannot open it: another program uses it' -- \
	/usr/bin/python3 tests/usb/claimed.py "${words[@]}"

pull ftdi,timeout=1
run timeout 300 "$umockdev" --late-cancels 3 --lose 1 $MODEL_TARGET -- "${words[@]}"
[[ $? == 1 && ! -e $capture && $(wc -l <"$output") == 1 ]] && grep -q 'no answer came in time' "$output"
verdict $? "a transfer that ends while it is cancelled does not hang" "output"

# --- Reset pins

for of in ft232h,swd minimodule,swd tigard,swd olimex,jtag olimex-swd,swd hifive1,jtag; do
	kind=${of%,*}
	case $kind in
	olimex-swd | hifive1) pull ftdi:$kind --transport=${of#*,} --connect-under-reset --wait 1 ;;
	*) pull ftdi --transport=${of#*,} --connect-under-reset --wait 1 ;;
	esac
	run probe --kind $kind --wires ${of#*,} pins-off=1 -- "${words[@]}" && has_counts resets=1 connected=0
	verdict $? "the reset pin of $kind is driven" "it is not"
done

# --- Clocks

# expect_clock SPEED KILOHERTZ TEXT
expect_clock() {
	pull ftdi --speed $1
	run probe -- "${words[@]}" && grep -q " at $3, " "$output" && has_counts kilohertz=$2
	verdict $? "a chip is asked for $1 and works at $3" "another clock"
}

expect_clock 100M 30000 '30 MHz'
expect_clock 10M 10000 '10 MHz'
expect_clock 4M 3750 '3.75 MHz'
expect_clock 25k 25 '25 kHz'

pull ftdi
expect_control
# Some 35 answers.
expect_series 36

# --- Which device

for kind in ft232h ft2232h ft4232h olimex; do
	run probe --kind $kind -- "$tool" devices
	[[ $(grep -c '^ftdi:FT77  .*, serial FT77$' "$output") == 1 ]]
	verdict $? "$kind is listed, once" "it is not"
done
pull ftdi
run "$umockdev" --twin Q88 $MODEL_TARGET -- "${words[@]}"
[[ $? == 1 && ! -e $capture && $(wc -l <"$output") == 1 ]] && grep -q 'ftdi:FT77' "$output" && grep -q 'ftdi:Q88' "$output"
verdict $? "two chips are ambiguous, and both are named" "output"
for source in ftdi:FT77 ftdi:ft2232h:FT77 ftdi:ft2232h:0403:6010:FT77; do
	pull $source
	expect_running "from one of two chips, named $source" "$umockdev" --twin Q88 $MODEL_TARGET -- "${words[@]}"
done
pull ftdi
expect_running "from a chip without a serial number" probe --serial "" -- "${words[@]}"
