#!/bin/bash
# SPDX-License-Identifier: MIT
# What tests of this folder share; to be sourced with UMOCKDEV FOLDER [TOOL], of which FOLDER becomes empty. MODEL_TARGET has
# the options of the target: firmware.sh, beside which most of them run, sets it.
set -u
source tests/check/split.sh
umockdev=$1 folder=$(realpath -m "$2") tool=${3-}
rm -rf "$folder" && mkdir -p "$folder" || exit 1
said=$folder/said counts=$folder/counts capture=$folder/run.bprof

export BACKEND=usb_bulk CORE=cortex_m
openocd=(openocd -f tests/probe-model/openocd.cfg)

# probe [OPTION]... [TARGET]... -- COMMAND [ARGUMENT]...: runs COMMAND while a probe with the target is plugged in.
probe() {
	local options command
	split options command "$@"
	timeout 120 "$umockdev" --counts "$counts" "${options[@]}" $MODEL_TARGET -- "${command[@]}"
}

# run COMMAND [ARGUMENT]...: what it says, and what the probe and its target did, is left in the folder.
run() {
	rm -f "$capture" "$counts"
	"$@" >"$said" 2>&1
}

# save FILE [COMMAND]: what a firmware's memory holds, of a machine that stands still from there on, or of one to which QEMU
# did COMMAND: cont lets it go on. The block begins it.
save() {
	/usr/bin/python3 tests/probe-model/save.py "$MODEL_QMP" "$folder/$1" 0x21000000 32768 "${@:2}"
}

# Whether the machine is not left halted; and what its memory holds, in the file left.
is_running() { save left query-status | grep -q '"status": "running"'; }

# is_saved FILE: whether the capture begins with the block that was saved.
is_saved() {
	local size
	size=$(od -An -tu4 -j24 -N4 "$folder/$1")
	cmp -n $((size)) "$folder/$1" "$capture" >>"$said" 2>&1
}

# is_saved_but_a_call FILE: likewise of a profile that was just stopped. A call may have been under way then, and is counted
# when the firmware goes on.
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
	tail -n 40 "$said" "$counts" 2>/dev/null
}

# verdict STATUS NAME WHY: of a command that ended with STATUS, which is 0 if all is as it should be.
verdict() {
	if [[ $1 == 0 ]]; then
		echo "ok $2"
	else
		complain "$2" "$3"
	fi
}

count() { sed -n "s/^$1 //p" "$counts"; }

# Whether each NAME=NUMBER is a count of what the probe and its target did.
has_counts() {
	local wanted
	for wanted in "$@"; do
		[[ $(count "${wanted%=*}") == "${wanted#*=}" ]] || return
	done
}
