#!/bin/bash
# SPDX-License-Identifier: MIT
# options.sh UMOCKDEV FOLDER TOOL: options of pulls from a firmware in QEMU (firmware.sh), through models of a probe and a
# target. A pull does to the target what its options request, and nothing else.
source tests/probe-model/support.sh
clock='up to 1 MHz' fast_clock='up to 1.8 MHz' traced='^AP0 DRW      read  0x21000000 x [0-9]* *: OK$'
case $scheme in
stlink) clock='950 kHz' fast_clock='1.8 MHz' traced='^F2 07 00 00 00 21 .* : [0-9]* bytes$' ;;
jlink) clock='1 MHz' fast_clock='1.77778 MHz' ;;
ftdi) clock='1 MHz' fast_clock='1.7647 MHz' ;;
esac

# pull [TARGET]... -- [OPTION]...
pull() {
	local target options
	split target options "$@"
	rm -f "$folder"/*.bprof
	run probe "${usual[@]}" "${target[@]}" -- "$tool" pull $scheme -e "$MODEL_ELF" -o "$capture" "${options[@]}"
}

# expect NAME COUNTS PATTERN [TARGET]... -- [OPTION]...: a capture that can be reported, and a line of output that matches.
expect() {
	local name=$1 wanted=$2 pattern=$3
	shift 3
	if ! pull "$@"; then
		complain "$name" "no capture"
	elif ! has_counts $wanted; then
		complain "$name" "expected $wanted"
	elif ! grep -q -- "$pattern" "$output"; then
		complain "$name" "no line matches $pattern"
	elif ! "$tool" report "$MODEL_ELF" "$(ls "$folder"/*.bprof | tail -n 1)" >"$folder/report"; then
		complain "$name" "no report"
	else
		echo "ok $name"
	fi
}

# expect_failure NAME COUNTS PATTERN [TARGET]... -- [OPTION]...
expect_failure() {
	local name=$1 wanted=$2 pattern=$3
	shift 3
	if pull "$@" || ! grep -q -- "$pattern" "$output"; then
		complain "$name" "no failure with a line that matches $pattern"
	elif ! has_counts $wanted; then
		complain "$name" "expected $wanted"
	elif [[ -e $capture ]]; then
		complain "$name" "a capture was written"
	else
		echo "ok $name"
	fi
}

untouched="halts=0 resets=0 in-reset=0"
expect "without options the target keeps running" "$untouched" " at $clock, 0 of " --slow 20 --
awk '/^Losses, of [0-9]+ to [0-9]+ ticks$/ { passed = $5 - $3 } / ticks while the block was read$/ { missed = $1 }
	END { exit !(passed > 0 && passed == missed) }' "$folder/report"
verdict $? "losses cover the ticks from the beginning of the read to its end" "$(grep -A 20 '^Losses' "$folder/report")"
expect "--halt halts once" "halts=1 resets=0" 'ticks, running' -- --halt
expect "--halt lets the core run for --wait" "halts=2 resets=0" 'ticks, running' -- --halt --wait 0.2
grep -q '^ *0  ticks while the block was read$' "$folder/report" && ! grep 'not stopped' "$output"
verdict $? "no ticks are reported as missed if none passed" "$(tail -n 1 "$folder/report")"
expect "--reset-target resets once" "halts=0 resets=1" 'ticks, running' -- --reset-target --wait 1
expect "--reset-target uses the pin if the core ignores AIRCR" "halts=0 resets=1" 'ticks, running' deaf=1 -- --reset-target
expect "--connect-under-reset reaches a firmware that has switched the pins off" "halts=0 resets=1" 'ticks, running' pins-off=1 -- \
	--connect-under-reset --wait 1
expect_failure "without it, such a firmware is silent" "$untouched" 'the target does not answer' pins-off=1 --
expect_failure "a target that is silent under reset is released" "halts=0 resets=1 in-reset=0" 'the target does not answer' unplug=1 -- --connect-under-reset
expect "a core is kept awake from its reset on" "halts=0 resets=1 in-reset=0 dbgmcu-control=0" '^note: STM32F7 kept awake until the end$' zeros=100 -- \
	--connect-under-reset --keep-awake --wait 1
expect_failure "the reason of a lost probe is reported, not its consequences" "" 'the device was unplugged' --unplug-after 26 -- \
	--connect-under-reset --keep-awake
expect_interruptible "a target is released whenever its reset is interrupted" "1 2 3 5 8 13 21 34 55 89 144" "${usual[@]}" -- \
	"$tool" pull $scheme -e "$MODEL_ELF" -o "$capture" --connect-under-reset --keep-awake --halt --wait 0.1
expect "a profile is started after a reset" "halts=0 resets=1" 'ticks, stopped' -- \
	--reset-target --reset --start --wait 0.5 --stop
expect "a watch resets once, before its first capture" "halts=0 resets=1" '2 captures taken' -- \
	--reset-target --watch 0.2 --count 2

# A firmware that calls bareprof_init() late: its block appears within a second of the reset.
late=$folder/late
save early cont && truncate -s "$(stat -c %s "$folder/early")" "$late"
live=$MODEL_TARGET MODEL_TARGET="file=0x21000000,$late elf=$MODEL_ELF"
expect_failure "a missing block is reported" "$untouched" 'called bareprof_init()?' --
(sleep 0.4 && dd if="$folder/early" of="$late" conv=notrunc status=none) &
expect "a target that was reset gets time to call bareprof_init()" "halts=0 resets=1" 'ticks, ' -- --reset-target
wait
# RAM begins with the block, which counts the resets that it survived at 0x38.
printf '\1' | dd of="$late" bs=1 seek=$((0x38)) conv=notrunc status=none
expect "a reset that kept the counts is reported" "halts=0 resets=1" \
	'^note: the target was reset as asked and kept its counts: --reset clears them$' -- --reset-target
MODEL_TARGET=$live

let_go="writes=2 dbgmcu-control=0"
expect "--keep-awake keeps the core awake" "$untouched $let_go" '^note: STM32F7 kept awake until the end$' zeros=100 -- --keep-awake
expect "absent memory is requested once" "$untouched" ' 0 of [0-9]* requests again' -- --keep-awake
expect "garbled transfers are reported" "$untouched" '^note: many transfers are damaged' parity=100 --
expect_failure "without --keep-awake, sleep is reported" "$untouched" 'kept awake' zeros=100 --
expect "--speed sets the clock" "$untouched" " at $fast_clock, " -- --speed=1.8MHz
expect "--ap selects the access port" "$untouched" 'ticks, running' ap=5 -- --ap=5
expect_failure "an access port without memory is an error" "$untouched" 'access port 4 leads to no memory' ap=5 -- --ap=4
expect "--core selects one of several cores" "$untouched" 'ticks, running' ap2=1 -- --core=1
expect_failure "a core number that is too large is an error" "$untouched" 'there is no core 2: cores 0 to 1 answer;' ap2=1 -- --core=2
expect_failure "the error names the only core" "$untouched" 'there is no core 3: only core 0 answers;' -- --core=3
# ST-Link firmware supports neither.
if [[ $scheme != stlink ]]; then
	for core in 0 1; do
		expect "--core selects core $core of an RP2040" "$untouched rescues=0" 'ticks, running' rp2040=1 -- --core=$core
		expect "--core selects core $core of an RP2350" "$untouched" "^AP0x$((2 * core + 2))000 DRW " rp2350=1 -- --core=$core --verbose
	done
	expect_failure "a third core of an RP2040 is an error" "$untouched rescues=0" 'its cores are 0 to 1$' rp2040=1 -- --core=2
	[[ $scheme != cmsis-dap ]] ||
		expect_failure "an RP2040 needs a probe that selects targets" "$untouched rescues=0" \
			'An RP2040 needs a probe that can select' --unknown 0x1d rp2040=1 --
	expect_failure "a third core of an RP2350 is an error" "$untouched" 'there is no core 2: cores 0 to 1 answer;' rp2350=1 -- --core=2
	expect "--ap takes an address" "$untouched faults=0" 'ticks, running' rp2350=1 -- --ap=0x4000
	expect_failure "the access ports of an RP2350 are listed" "$untouched" \
		'0x80000 leads to no memory; .*: 0x2000 (AHB), 0x4000 (AHB), 0xA000 (APB)$' rp2350=1 -- --ap=0x80000
	expect_failure "an access port of ADIv5 has no address" "$untouched" '0x2000 leads to no memory; .*: 0 (AHB)$' -- --ap=0x2000
	expect_failure "an address within an access port is refused" "$untouched clocks=0" 'expected a number' rp2350=1 -- --ap=0x2004
fi
expect "--verbose prints transfers" "$untouched" "$traced" -- --verbose
name="a slow pull shows its progress on a terminal"
rm -f "$capture"
if ! timeout 300 "$umockdev" "${usual[@]}" --slow 40 $MODEL_TARGET -- script -qec \
	"'$tool' pull $scheme --speed 25k -e '$MODEL_ELF' -o '$capture'" /dev/null </dev/null >"$output" 2>&1; then
	complain "$name" "no capture"
elif ! grep -q '\[##*  *\] [ 0-9,]* of [0-9,]* bytes' "$output"; then
	complain "$name" "no progress bar"
else
	echo "ok $name"
fi
expect_failure "an output that cannot be written leaves the target alone" "$untouched clocks=0" 'nowhere/run.bprof: ' -- \
	--reset-target --halt -o "$folder/nowhere/run.bprof"
expect_failure "a firmware that is not an ELF leaves the target alone" "$untouched clocks=0" 'options.sh: ' -- \
	--reset-target --halt -e tests/probe-model/options.sh

save saved
pull zeros=1 -- --keep-awake && is_saved saved && has_counts $untouched $let_go
verdict $? "--keep-awake reads real memory, and lets the core sleep again" "no capture, different bytes, or the core is still awake"
