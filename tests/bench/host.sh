#!/bin/bash
# SPDX-License-Identifier: MIT
# Seconds of processor time that the host tool takes for a report of the demo, beside GNU gprof on the same profile, in
# the same run: what counts is the ratio, not the seconds.
set -eu
runs=50
board=mps2-an385
firmware=build/firmware/$board/demo.elf
folder=build/bench
mkdir -p "$folder"

tests/qemu/run.sh --until "demo: done" "$board" "$firmware" \
	build/bareprof pull "gdb:127.0.0.1:{port}" -e "$firmware" -o "$folder/demo.bprof" 2>/dev/null
build/bareprof export gmon -o "$folder/gmon.out" "$firmware" "$folder/demo.bprof"

# measure COMMAND...: processor time per run, in milliseconds.
measure()
{
	local TIMEFORMAT='%U %S'
	{ time for ((i = 0; i < runs; i++)); do "$@" >/dev/null; done; } 2>&1 |
		awk -v runs=$runs '{ printf "%.2f", ($1 + $2) * 1000 / runs }'
}

ours=$(measure build/bareprof report "$firmware" "$folder/demo.bprof")
gnu=$(measure arm-none-eabi-gprof -b "$firmware" "$folder/gmon.out")
awk -v ours="$ours" -v gnu="$gnu" 'BEGIN {
	printf "%-44s %8.2f ms\n", "bareprof report, demo", ours
	printf "%-44s %8.2f ms\n", "arm-none-eabi-gprof -b, same profile", gnu
	printf "%-44s %8.2f\n\n", "ratio", ours / gnu
}'
