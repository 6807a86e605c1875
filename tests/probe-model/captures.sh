#!/bin/bash
# SPDX-License-Identifier: MIT
# Shared part of tests that compare captures with the memory that QEMU saves; source it with UMOCKDEV FOLDER TOOL.
source tests/probe-model/support.sh

# pull SOURCE [OPTION]...: sets $words to the command.
pull() {
	words=("$tool" pull "$1" -e "$MODEL_ELF" -o "$capture" "${@:2}")
}

# expect_still NAME COMMAND [ARGUMENT]...
expect_still() {
	local name="$1: of a halted machine"
	shift
	save saved
	if ! run "$@"; then
		complain "$name" "no capture"
	elif ! is_saved saved; then
		complain "$name" "different bytes"
	else
		echo "ok $name"
	fi
}

# expect_running NAME COMMAND [ARGUMENT]...
expect_running() {
	local name="$1: of a running machine"
	shift
	save before cont
	if ! run "$@" || ! save after cont; then
		complain "$name" "no capture"
	elif ! perl tests/probe-model/between.pl "$folder/before" "$capture" "$folder/after" >>"$output" 2>&1; then
		complain "$name" "values outside those before and after"
	else
		echo "ok $name"
	fi
}

expect_both() {
	expect_running "$@"
	expect_still "$@"
}

# expect_quiet NAME [COUNT=NUMBER]...: the target was not disturbed, and the probe received no impossible request.
expect_quiet() {
	has_counts collisions=0 violations=0 resets=0 halts=0 connected=0 "${@:2}"
	verdict $? "$1: the target was not disturbed" "counts"
}

# expect_clocks NAME FLOOR: clocks per word, including those to connect, are at most 5 % above FLOOR tenths.
expect_clocks() {
	local clocks words
	clocks=$(count clocks) words=$(count words)
	if ((words > 3000 && clocks * 1000 <= words * $2 * 105)); then
		echo "ok $1: $((clocks * 10 / words)) tenths of a clock a word"
	else
		complain "$1: clocks of a word" "$clocks clocks, $words words"
	fi
}

# refuses NAME TEXT [OPTION]... [TARGET]... -- COMMAND...: one line that contains TEXT, and the probe is not left connected.
refuses() {
	local name=$1 text=$2
	shift 2
	run probe "$@"
	[[ $? == 1 && ! -e $capture && $(wc -l <"$output") == 1 && $(<"$output") == "bareprof: $scheme"*"$text"* ]] && has_counts connected=0
	verdict $? "$name" "a different result"
}
