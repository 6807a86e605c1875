#!/bin/bash
# SPDX-License-Identifier: MIT
# Exceptions while the sampling interrupt is the only trap handler are passed on, and never sampled. If the firmware has no
# handler for them the hart stops in bareprof_other_trap(), and the profile ends there.
source tests/emulated/support.sh

export -f counts_of
# The hart soon stops: nothing is sampled between one pull and the next.
stops_at_exception() {
	local board=$1 firmware=$2 output=$work/$1-$2 name="an exception without a handler stops the profile"
	if ! tests/qemu/run.sh --until 'demo: done' "$board" "build/firmware/$board/$firmware.elf" bash -c \
		'pull() { build/bareprof pull "gdb:127.0.0.1:$1" -e "$2" -o "$3-second.bprof"; }
		pull "$@" || exit
		for ((i = 0; i < 60; i++)); do
			mv "$3-second.bprof" "$3-first.bprof"
			sleep 0.5
			pull "$@" || exit
			! cmp -s <(counts_of "$3-first.bprof") <(counts_of "$3-second.bprof") || break
		done' - '{port}' "build/firmware/$board/$firmware.elf" "$output" 2>"$output.errors"; then
		not_ok "$name ($board): no profile: $(tail -n 1 "$output.errors")"
	elif ! cmp -s <(counts_of "$output-first.bprof") <(counts_of "$output-second.bprof"); then
		not_ok "$name ($board): it continues"
	elif ! build/bareprof info "$output-first.bprof" >"$output.info" ||
		! grep -Eq '^  ticks  +(1[4-9]|2[0-6]): ' "$output.info" ||
		! grep -Eq '^  +0 ticks merged by the hardware' "$output.info"; then
		not_ok "$name ($board): $(grep '^  ticks' "$output.info")"
	else
		ok "$name ($board)"
	fi
}

while read -r board firmware; do
	if [[ $firmware == *HANDLED* ]]; then
		run_self_checking_firmware "$board" "$firmware"
	else
		stops_at_exception "$board" "$firmware"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
