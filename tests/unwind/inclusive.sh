#!/bin/bash
# SPDX-License-Identifier: MIT
# inclusive.sh RUN ELF [OPTION]...: compares the measured total times of a firmware with the instructions that were executed below
# each function. OPTIONs are passed to inclusive.pl. RUN is the folder of a run below build/target-tests/, such as unwind/shadows/BOARD/FIRMWARE.
work_of=$1
source tests/emulated/support.sh
run=build/target-tests/$1/run

if ! build/bareprof export json "$2" "$run.bprof" >"$work/profile.json" 2>"$work/errors"; then
	not_ok "measured total times: $1: $(head -n 1 "$work/errors")"
	exit 1
fi
perl tests/unwind/inclusive.pl "$work/profile.json" "$run.counts" "${@:3}"
