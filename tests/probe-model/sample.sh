#!/bin/bash
# SPDX-License-Identifier: MIT
# sample.sh UMOCKDEV FOLDER TOOL: beside a firmware that runs in QEMU (firmware.sh), the tool samples a core whose program
# counters the model of a target makes: of each function as many as it is long, and some of a core that sleeps.
source tests/probe-model/support.sh

# Some 30 functions of the firmware. The number of halfwords and 100 have no divisor in common: all are asleep as often.
start=$((0x$(readelf -sW "$MODEL_ELF" | awk '$8 == "work_interrupt" { print $2 }') & ~1)) size=2046

# Batches, so that shares say something.
ENOUGH=40

# sample SOURCE: for the end of a command.
sample() {
	words=("$tool" sample "$1" -e "$MODEL_ELF" -o "$capture")
}

# stated PATTERN: a number in what the tool said.
stated() {
	sed -n "s/,//g; s/.*$1.*/\1/p" "$said"
}

# take_enough [OPTION]... [TARGET]... -- COMMAND [ARGUMENT]...: for as long as it takes on this computer now.
take_enough() {
	local seconds
	for seconds in 3 6 12 24 48; do
		run probe "$@" --seconds $seconds || return
		(($(stated 'reads in \([0-9]*\) batches') >= ENOUGH)) && return
	done
	return 1
}

# expect_shares NAME ASLEEP [OPTION]... -- COMMAND [ARGUMENT]...
expect_shares() {
	local name=$1 asleep=$2 options command percent
	split options command "${@:3}"
	if ! take_enough "${options[@]}" "pcs=$start,$size" "asleep=$asleep" -- "${command[@]}" ||
		! "$tool" export json "$MODEL_ELF" "$capture" >"$folder/json" 2>>"$said"; then
		complain "$name" "no capture, or not of $ENOUGH batches"
		return
	fi
	percent=$(stated 'largest share of the time is \([0-9.]*\) %')
	if perl tests/probe-model/shares.pl "$folder/json" "$percent" "$start" $size "$asleep" >>"$said" 2>&1; then
		echo "ok $name: the largest share within ${percent:-0} %"
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
	(((reads - 16 * batches) ** 2 <= 25 * 80 * batches))
	verdict $? "$1: $reads reads in $batches batches" "not 16 in each on average"
}

expect_report() {
	"$tool" report "$MODEL_ELF" "$capture" >"$folder/report" 2>>"$said" &&
		grep -q "^Capture .*: sampled through a probe, " "$folder/report" &&
		grep -q "^the core was asleep or unavailable in [0-9.]* % of them$" "$said" &&
		[[ $(grep -c '<asleep or unavailable>' "$folder/report") == $(($2 > 0)) ]]
	verdict $? "$1: it can be reported" "it lacks something"
}

# expect NAME STATUS PATTERN [OPTION]... [TARGET]... -- COMMAND [ARGUMENT]...: what it ends with, and a line of what it says.
expect() {
	local name=$1 wanted=$2 pattern=$3 status
	shift 3
	run probe "$@" </dev/null
	status=$?
	if ((status != wanted)) || ! grep -q "$pattern" "$said" || [[ $wanted == 1 && -e $capture ]]; then
		complain "$name" "ends with $status, not with $wanted and '$pattern'"
	else
		echo "ok $name"
	fi
}

# The firmware as it was before a byte of its code was another.
write_other_elf() {
	local offset
	offset=$(readelf -SW "$MODEL_ELF" | sed -n 's/^ *\[ *[0-9]*\] \.text  *PROGBITS  *[0-9a-f]*  *\([0-9a-f]*\) .*/\1/p')
	cp "$MODEL_ELF" "$folder/other.elf"
	printf '\245' | dd of="$folder/other.elf" bs=1 seek=$((0x$offset + 0x100)) conv=notrunc status=none
}

# Its trace part is switched on, and off again.
expect_undisturbed() {
	has_counts collisions=0 violations=0 resets=0 halts=0 connected=0 writes=2
	verdict $? "$1: the core was not disturbed" "the counts are"
}

sample cmsis-dap
expect_shares "samples by packets" 25 --packet 512 -- "${words[@]}"
expect_undisturbed "samples by packets"
expect_shares "samples by reports" 60 --v1 -- "${words[@]}"
expect_undisturbed "samples by reports"
expect_shares "samples of a core that never sleeps" 0 --packet 512 -- "${words[@]}"
expect_shares "samples of a core that always sleeps" 100 --packet 512 -- "${words[@]}"
grep -q '^note: it was never seen running' "$said" && ! grep -q 'independent samples' "$said"
verdict $? "a core that always sleeps is told" "it is not"

pcs=pcs=$start,$size
expect "few batches are reported" 0 '^too few batches to estimate the number of independent samples' "$pcs" -- \
	"${words[@]}" --seconds 0.001
expect "a rate beyond the probe is told" 0 '^note: [0-9,]* reads/s: the probe cannot keep up with a rate of 1,000,000$' "$pcs" -- \
	"${words[@]}" --seconds 1 --rate 1000000
expect "how long it lasts is told on a terminal" 0 \
	$'\rsampling: [0-9] s left, [0-9,]* reads so far\033\\[K\r\033\\[Ksampled ' "$pcs" -- \
	/usr/bin/python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "${words[@]}" --seconds 2
expect "a reset meanwhile is told" 1 'the target was reset while it was sampled: sample again$' "$pcs" reset=3000 -- \
	"${words[@]}" --seconds 2
write_other_elf
other=("$tool" sample cmsis-dap -e "$folder/other.elf" -o "$capture" --seconds 0.1)
expect "another firmware is refused" 1 'is not that of .*other\.elf.*: give the ELF that was flashed, or force it$' "$pcs" -- \
	"${other[@]}"
expect "another firmware is taken by force" 0 'of another build than the ELF (forced)$' "$pcs" -- "${other[@]}" --force

sample 'openocd:localhost:{port},timeout=60'
expect_shares "samples by OpenOCD" 25 --packet 512 -- tests/probe-model/serve.sh tcl "${openocd[@]}" -- "${words[@]}"
