#!/bin/bash
# SPDX-License-Identifier: MIT
# inclusive.sh RUN: compares the measured total times of a firmware with the instructions that were executed below each function.
# RUN is one of shadows.sh: BOARD/FIRMWARE.
work_of=$1
source tests/target/support.sh
run=build/target-tests/shadows/$1/run

if ! build/bareprof export json "build/firmware/$1.elf" "$run.bprof" >"$work/profile.json" 2>"$work/errors"; then
	not_ok "measured total times: $1: $(head -n 1 "$work/errors")"
	exit 1
fi
perl tests/unwind/inclusive.pl "$work/profile.json" "$run.counts" selftest_step
