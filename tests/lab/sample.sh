#!/bin/bash
# SPDX-License-Identifier: MIT
# sample.sh UMOCKDEV FOLDER TOOL: beside a firmware that runs in QEMU (firmware.sh), the tool samples a core whose program
# counters the model of a target makes: of each function as many as it is long, and some of a core that sleeps.
source tests/lab/support.sh

# Some 30 functions of the firmware. The number of halfwords and 100 have no divisor in common: all are asleep as often.
start=$((0x$(readelf -sW "$LAB_ELF" | awk '$8 == "work_interrupt" { print $2 }') & ~1)) size=2046

# Batches, so that shares say something.
ENOUGH=40

# sample SOURCE: for the end of a command.
sample() {
	words=("$tool" sample "$1" -e "$LAB_ELF" -o "$capture")
}

# stated PATTERN: a number in what the tool said.
stated() {
	sed -n "s/,//g; s/.*$1.*/\1/p" "$said"
}

# take_enough [OPTION]... [TARGET]... -- COMMAND [ARGUMENT]...: for as long as it takes on this computer now.
take_enough() {
	local seconds
	for seconds in 3 6 12 24 48; do
		rm -f "$capture"
		probe "$@" --seconds $seconds >"$said" 2>&1 || return
		(($(stated 'reads in \([0-9]*\) batches') >= ENOUGH)) && return
	done
	return 1
}

# expect_shares NAME ASLEEP [OPTION]... -- COMMAND [ARGUMENT]...
expect_shares() {
	local name=$1 asleep=$2 options command percent
	split options command "${@:3}"
	if ! take_enough "${options[@]}" "pcs=$start,$size" "asleep=$asleep" -- "${command[@]}" ||
		! "$tool" export json "$LAB_ELF" "$capture" >"$folder/json" 2>>"$said"; then
		complain "$name" "no capture, or not of $ENOUGH batches"
		return
	fi
	percent=$(stated 'right within \([0-9.]*\) %')
	if perl tests/lab/shares.pl "$folder/json" "$percent" "$start" $size "$asleep" >>"$said" 2>&1; then
		echo "ok $name: right within $percent %"
	else
		complain "$name" "wrong shares"
	fi
	expect_rhythm "$name"
	expect_report "$name" "$asleep"
}

# Batches have 1 to 31 reads, 16 on average, with a variance of 80: five errors of the mean.
expect_rhythm() {
	local reads batches
	reads=$(stated ' \([0-9]*\) reads in') batches=$(stated 'reads in \([0-9]*\) batches')
	if (((reads - 16 * batches) ** 2 <= 25 * 80 * batches)); then
		echo "ok $1: $reads reads in $batches batches"
	else
		complain "$1: $reads reads in $batches batches" "not 16 in each on average"
	fi
}

expect_report() {
	if ! "$tool" report "$LAB_ELF" "$capture" >"$folder/report" 2>>"$said" ||
		! grep -q "^Capture .*: sampled through a probe, " "$folder/report" ||
		! grep -q "^the core was asleep or unavailable in [0-9.]* % of them$" "$said" ||
		[[ $(grep -c '<asleep or unavailable>' "$folder/report") != $(($2 > 0)) ]]; then
		complain "$1: the report" "it lacks something"
	else
		echo "ok $1: it can be reported"
	fi
}

# Its trace part is switched on, and off again.
expect_undisturbed() {
	if has_counts collisions=0 violations=0 resets=0 halts=0 connected=0 writes=2; then
		echo "ok $1: the core was not disturbed"
	else
		complain "$1: the core was not disturbed" "the counts are"
	fi
}

sample cmsis-dap
expect_shares "samples by packets" 25 --packet 512 -- "${words[@]}"
expect_undisturbed "samples by packets"
expect_shares "samples by reports" 60 --v1 -- "${words[@]}"
expect_undisturbed "samples by reports"
expect_shares "samples of a core that never sleeps" 0 --packet 512 -- "${words[@]}"
expect_shares "samples of a core that always sleeps" 100 --packet 512 -- "${words[@]}"
if grep -q '^note: it was never seen at work' "$said"; then
	echo "ok a core that always sleeps is told"
else
	complain "a core that always sleeps is told" "it is not"
fi
sample 'openocd:localhost:{tcl},timeout=60'
expect_shares "samples by OpenOCD" 25 --packet 512 -- tests/lab/serve.sh "${words[@]}"
