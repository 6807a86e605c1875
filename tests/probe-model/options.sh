#!/bin/bash
# SPDX-License-Identifier: MIT
# options.sh UMOCKDEV FOLDER TOOL: beside a firmware that runs in QEMU (firmware.sh), pulls through the models of
# a probe and a target do to the target what their options ask for, and nothing else.
source tests/probe-model/support.sh

# pull [TARGET]... -- [OPTION]...
pull() {
	local target options
	split target options "$@"
	rm -f "$folder"/*.bprof
	run probe --packet 512 "${target[@]}" -- "$tool" pull cmsis-dap -e "$MODEL_ELF" -o "$capture" "${options[@]}"
}

# expect NAME COUNTS PATTERN [TARGET]... -- [OPTION]...: a capture that report takes, and PATTERN in a line of what is said.
expect() {
	local name=$1 wanted=$2 pattern=$3
	shift 3
	if ! pull "$@"; then
		complain "$name" "no capture"
	elif ! has_counts $wanted; then
		complain "$name" "expected $wanted"
	elif ! grep -q -- "$pattern" "$said"; then
		complain "$name" "nothing is said of $pattern"
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
	if pull "$@" || ! grep -q -- "$pattern" "$said"; then
		complain "$name" "no failure that says $pattern"
	elif ! has_counts $wanted; then
		complain "$name" "expected $wanted"
	elif [[ -e $capture ]]; then
		complain "$name" "a capture is left"
	else
		echo "ok $name"
	fi
}

untouched="halts=0 resets=0"
expect "without options the target runs on" "$untouched" ' at 1 MHz, 0 of ' --
awk '/^Losses, of [0-9]+ to [0-9]+ ticks$/ { passed = $5 - $3 } / ticks while the block was read$/ { told = $1 }
	END { exit !(passed > 0 && passed == told) }' "$folder/report"
verdict $? "losses are those of the ticks from the beginning of the read to its end" "$(grep -A 20 '^Losses' "$folder/report")"
expect "--halt halts once" "halts=1 resets=0" 'ticks, running' -- --halt
expect "--halt lets the core run for --wait" "halts=2 resets=0" 'ticks, running' -- --halt --wait 0.2
grep -q '^ *0  ticks while the block was read$' "$folder/report" && ! grep 'not stopped' "$said"
verdict $? "where no tick passed nothing is said of them" "$(tail -n 1 "$folder/report")"
expect "--reset-target resets once" "halts=0 resets=1" 'ticks, running' -- --reset-target --wait 1
expect "--reset-target takes the pin where the core is deaf" "halts=0 resets=1" 'ticks, running' deaf=1 -- --reset-target
expect "a profile is started behind a reset" "halts=0 resets=1" 'ticks, stopped' -- \
	--reset-target --reset --start --wait 0.5 --stop
expect "all captures of a watch are behind one reset" "halts=0 resets=1" '2 captures taken' -- \
	--reset-target --watch 0.2 --count 2

# A firmware that gets to bareprof_init() late: its block comes in the second behind the reset.
late=$folder/late
save early cont && truncate -s "$(stat -c %s "$folder/early")" "$late"
live=$MODEL_TARGET MODEL_TARGET="file=0x21000000,$late elf=$MODEL_ELF"
expect_failure "that there is no block is told" "$untouched" 'called bareprof_init()?' --
(sleep 0.7 && dd if="$folder/early" of="$late" conv=notrunc status=none) &
expect "a target that was reset is given time to bareprof_init()" "halts=0 resets=1" 'ticks, ' -- --reset-target
wait
# The block begins the RAM; at 0x38 it has how many resets it survived.
printf '\1' | dd of="$late" bs=1 seek=$((0x38)) conv=notrunc status=none
expect "a reset that kept the counts is told" "halts=0 resets=1" \
	'^note: the target was reset as asked and kept its counts: --reset clears them$' -- --reset-target
MODEL_TARGET=$live

let_go="writes=2 dbgmcu-control=0"
expect "--keep-awake keeps it awake" "$untouched $let_go" '^note: STM32F7 kept awake until the end$' zeros=100 -- --keep-awake
expect "what is not there is asked for once" "$untouched" ' 0 of [0-9]* requests again' -- --keep-awake
expect "wires that garble are told" "$untouched" '^note: many transfers are damaged' parity=100 --
expect_failure "without it sleep is told" "$untouched" 'kept awake' zeros=100 --
expect "--speed is the clock" "$untouched" ' at 1.8 MHz, ' -- --speed=1.8MHz
expect "--ap is the access port" "$untouched" 'ticks, running' ap=5 -- --ap=5
expect_failure "another access port leads nowhere" "$untouched" 'access port 4 leads to no memory' ap=5 -- --ap=4
expect "--core is one of several" "$untouched" 'ticks, running' ap2=1 -- --core=1
expect_failure "a core too many is told" "$untouched" 'there is no core 2, cores 0 to 1 answer;' ap2=1 -- --core=2
expect_failure "the only core is named" "$untouched" 'there is no core 3, only core 0 answers;' -- --core=3
expect "--verbose tells of transfers" "$untouched" '^AP0 DRW      read  0x21000000 x [0-9]* *: OK$' -- --verbose
name="a slow pull tells how far it is on a terminal"
rm -f "$capture"
if ! timeout 60 "$umockdev" --packet 512 --slow 40 $MODEL_TARGET -- script -qec \
	"'$tool' pull cmsis-dap --speed 25k -e '$MODEL_ELF' -o '$capture'" /dev/null </dev/null >"$said" 2>&1; then
	complain "$name" "no capture"
elif ! grep -q '\[##*  *\] [ 0-9,]* of [0-9,]* bytes' "$said"; then
	complain "$name" "no bar"
else
	echo "ok $name"
fi
expect_failure "no target is touched for an output that cannot be" "$untouched clocks=0" 'nowhere/run.bprof: ' -- \
	--reset-target --halt -o "$folder/nowhere/run.bprof"
expect_failure "no target is touched for a firmware that is none" "$untouched clocks=0" 'options.sh: ' -- \
	--reset-target --halt -e tests/probe-model/options.sh

save saved
pull zeros=1 -- --keep-awake && is_saved saved && has_counts $untouched $let_go
verdict $? "--keep-awake gives what is there, and lets it sleep again" "no capture, other bytes, or it is awake"
