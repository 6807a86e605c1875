#!/bin/bash
# SPDX-License-Identifier: MIT
# What a pull through a debug probe takes on its wires, by the models of a probe and of a target (tests/probe-model/). A model has
# no clock: the bytes per second are what the wires let through at 1 MHz, with nothing lost between packets.
set -eu
cd "$(dirname "$0")/../.."
work=build/bench/swd firmware=build/probe-model/demo+LIVE-1.elf

# A word of a window of 1 KiB: 256 reads, with TAR before and RDBUFF after them, of 46 clocks each.
floor=46.4
tests/probe-model/firmware.sh $work $firmware tests/probe-model/clocks.sh build/probe-model/umockdev $work/clocks build/bareprof | awk -v floor=$floor '
	BEGIN {
		printf "\n%-10s %8s %8s %12s %8s %10s %16s\n", "CMSIS-DAP", "packets", "it takes", "clocks/word", "packets",
			"in flight", "kB/s at 1 MHz"
	}
	{ printf "%-10s %8d %8d %12.1f %8d %10d %16.0f\n", "version " $1, $2, $3, $4, $5, $6, 4 * 1000 / $4 }
	$1 == 2 && $2 == 512 && $3 == 4 { measured = $4 }
	END {
		holds = measured > 0 && measured <= 1.05 * floor
		printf "\n%s clocks per word in packets of 512 bytes: %.1f, at most 1.05 x %.1f\n", holds ? "ok" : "not ok",
			measured, floor
		exit !holds
	}'
