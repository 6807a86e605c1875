#!/bin/bash
# SPDX-License-Identifier: MIT
# What the recorder costs, in instructions that QEMU executed: per call (from the hook's first instruction to its last, hits,
# insertions and all) and per tick (the sampling interrupt from entry to exit), in the demo on each emulated board.
source tests/emulated/support.sh

printf '\nThe recorder: instructions per call and per tick, and its share of all that the demo executes with -pg\n'
printf '%-16s %10s %12s %10s %12s %10s\n' "recorder" calls "insns/call" ticks "insns/tick" "share"
for board in microbit mps2-an385 qemu-virt-rv32 qemu-virt-rv64; do
	firmware=demo+ROUNDS-200 output=$work/$board
	counted_profile "$board" "$firmware" "$output" || exit 1
	perl tests/bench/recorder.pl "$board" "$output"
done
