#!/bin/bash
# SPDX-License-Identifier: MIT
# fuzz.sh PROGRAM CORPUS SECONDS: runs one libFuzzer target from its seeds and from nothing, for SECONDS in all. New
# inputs stay in PROGRAM.corpus, failing inputs in PROGRAM.artifacts, both under build/.
set -u
program=$1
seeds=$2
seconds=$3
name=$(basename "$program")
artifacts=$program.artifacts
mkdir -p "$artifacts" "$program.corpus" "$program.empty"

# fuzz WHAT FOLDER...: one run; the first folder is written to.
fuzz()
{
	local what=$1
	shift
	if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$artifacts/" "$@"; then
		echo "ok $name from $what"
	else
		echo "not ok $name from $what: broken by an input kept in $artifacts/"
	fi
}

rm -rf "$program.empty"/*
fuzz nothing "$program.empty"
[ ! -d "$seeds" ] || fuzz seeds "$program.corpus" "$seeds"
