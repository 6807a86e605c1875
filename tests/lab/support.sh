#!/bin/bash
# SPDX-License-Identifier: MIT
# What tests of the tool share that run beside a firmware (firmware.sh); to be sourced with UMOCKDEV TOOL FOLDER, which
# becomes empty.
set -u
umockdev=$1 tool=$2 folder=$(realpath -m "$3")
rm -rf "$folder" && mkdir -p "$folder" || exit 1
said=$folder/said counts=$folder/counts capture=$folder/run.bprof

# probe [OPTION]... [TARGET]... -- COMMAND [ARGUMENT]...: runs COMMAND while a probe with the firmware as its target is
# plugged in.
probe() {
	local options=()
	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	timeout 120 "$umockdev" --counts "$counts" "${options[@]}" $LAB_TARGET "$@"
}

complain() {
	printf 'not ok %s: %s\n' "$1" "$2"
	tail -n 40 "$said" "$counts" 2>/dev/null
}

count() { sed -n "s/^$1 //p" "$counts"; }

# Whether each NAME=NUMBER is a count of what the probe and its target did.
has_counts() {
	local wanted
	for wanted in "$@"; do
		[[ $(count "${wanted%=*}") == "${wanted#*=}" ]] || return
	done
}
