#!/bin/bash
# SPDX-License-Identifier: MIT
# Functions that tests of this folder share; to be sourced with UMOCKDEV FOLDER [TOOL]. FOLDER is emptied. MODEL_TARGET has the
# options of the target, and is set by firmware.sh in most tests. With MODEL_MODES=usual, pull.sh and sample.sh only test the
# usual mode of the probe, with MODEL_MODES=other all the rest.
set -u
source tests/check/split.sh
umockdev=$1 folder=$(realpath -m "$2") tool=${3-}
rm -rf "$folder" && mkdir -p "$folder" || exit 1
output=$folder/output counts=$folder/counts capture=$folder/run.bprof

# The SOURCE of the model that UMOCKDEV plugs in, and its usual options.
scheme=${MODEL_SCHEME:-cmsis-dap}
case $scheme in
stlink) usual=(--kind v2-1) ;;
jlink) usual=(--kind ob) ;;
ftdi) usual=(--kind ft2232h) ;;
*) usual=(--packet 512) ;;
esac

export DRIVER=$scheme BACKEND=usb_bulk CORE=cortex_m TRANSPORT=swd PORT='' AP=0
openocd=(openocd -f tests/probe-model/openocd.cfg)

# wants MODES: whether the checks of these modes, usual or other, are to run.
wants() { [[ ${MODEL_MODES-$1} == "$1" ]]; }

# probe [OPTION]... [TARGET]... -- COMMAND [ARGUMENT]...: runs COMMAND while a probe with the target is plugged in.
probe() {
	local options command
	split options command "$@"
	timeout 300 "$umockdev" --counts "$counts" "${options[@]}" $MODEL_TARGET -- "${command[@]}"
}

# run COMMAND [ARGUMENT]...: leaves its output and the counts of probe and target in the folder.
run() {
	rm -f "$capture" "$counts"
	"$@" >"$output" 2>&1
}

# save FILE [COMMAND]: QEMU halts the machine, or executes COMMAND such as cont, and saves the firmware's memory, which begins
# with the block.
save() {
	/usr/bin/python3 tests/probe-model/save.py "$MODEL_QMP" "$folder/$1" "$MODEL_BLOCK" "$MODEL_SIZE" "${@:2}"
}

# Whether the machine runs. Saves its memory in the file left.
is_running() { save left query-status | grep -q '"status": "running"'; }

# is_saved FILE: whether the capture begins with the saved block.
is_saved() {
	local size
	size=$(od -An -tu4 -j24 -N4 "$folder/$1")
	cmp -n $((size)) "$folder/$1" "$capture" >>"$output" 2>&1
}

# is_saved_but_a_call FILE: the same for a profile that was just stopped. A call that was in progress then is counted when
# the firmware continues.
is_saved_but_a_call() {
	perl -e '
		my ($saved, $capture) = map { local (@ARGV, $/) = $_; <> } @ARGV;
		my @words = map { [unpack "V" . unpack("x24 V", $saved) / 4, $_] } $saved, $capture;
		my @counted = grep { $_ } map { $words[0][$_] - $words[1][$_] } 0 .. $#{$words[0]};
		exit(@counted > 0 && "@counted" ne "1")' "$folder/$1" "$capture"
}

# complain NAME WHY
complain() {
	printf 'not ok %s: %s\n' "$1" "$2"
	tail -n 40 "$output" "$counts" 2>/dev/null
}

# verdict STATUS NAME WHY: prints the result of a check whose STATUS is 0 if it passed.
verdict() {
	if [[ $1 == 0 ]]; then
		echo "ok $2"
	else
		complain "$2" "$3"
	fi
}

count() { sed -n "s/^$1 //p" "$counts"; }

# has_counts NAME=NUMBER...: whether these are counts of the probe and its target.
has_counts() {
	local wanted
	for wanted in "$@"; do
		[[ $(count "${wanted%=*}") == "${wanted#*=}" ]] || return
	done
}

# expect_interruptible NAME REQUESTS [OPTION]... [TARGET]... -- COMMAND [ARGUMENT]...: interrupted at any of these requests, COMMAND
# ends with one line and without a capture, and the firmware runs.
expect_interruptible() {
	local name=$1 requests=$2 at options command
	split options command "${@:3}"
	for at in $requests; do
		run probe "${options[@]}" signal=$at -- "${command[@]}"
		if [[ $? != 1 || -e $capture || $(<"$output") != "bareprof: interrupted" ]]; then
			complain "$name" "another output when interrupted at request $at"
			return
		elif ! has_counts in-reset=0 connected=0 changed-registers=0 || ! is_running; then
			complain "$name" "the target is not as it was when interrupted at request $at"
			return
		fi
	done
	echo "ok $name"
}
