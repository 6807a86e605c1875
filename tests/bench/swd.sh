#!/bin/bash
# SPDX-License-Identifier: MIT
# What a pull through a debug probe takes on its wires, by the models of a probe and of a target (tests/probe-model/). A model has
# no clock: the bytes per second are what the wires let through at 1 MHz, with nothing lost between packets.
set -eu
cd "$(dirname "$0")/../.."
work=build/bench/swd firmware=build/probe-model/demo+LIVE-1.elf

# measure UMOCKDEV [FIRMWARE]
measure() { tests/probe-model/firmware.sh $work "${2-$firmware}" tests/probe-model/clocks.sh $1 $work/clocks build/bareprof; }

# A word of a window of 1 KiB: 256 reads, with TAR before and RDBUFF after them, of 46 clocks each.
floor=46.4
measure build/probe-model/umockdev | awk -v floor=$floor '
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

# A scan of JTAG takes 39 clocks, and there are 258 for a window, too.
for scheme in jlink ftdi; do
MODEL_SCHEME=$scheme measure build/probe-model/umockdev-$scheme | awk -v name=$scheme -v swd=$floor -v jtag=39.4 '
	BEGIN { printf "\n%-10s %12s %12s %16s\n", name, "clocks/word", "round trips", "kB/s at 1 MHz" }
	{
		printf "%-10s %12.1f %12d %16.0f\n", $1, $2, $3, 4 * 1000 / $2
		floor = $1 == "swd" ? swd : jtag
		holds = $2 > 0 && $2 <= 1.05 * floor
		verdicts = verdicts sprintf("\n%s clocks per word through %s, %s: %.1f, at most 1.05 x %.1f", holds ? "ok" : "not ok",
			name, $1, $2, floor)
		failed += !holds
	}
	END {
		print verdicts
		exit failed || NR != 2
	}'
done

# Each request of a row of reads returns the word that the one before asked for.
measure build/probe-model/umockdev build/firmware/qemu-virt-rv32/demo+LIVE-1.elf | awk '{
	holds = $3 > 0 && $2 <= 1.1 * $3
	printf "\n%s requests per word of RISC-V memory: %.3f, at most 1.1; %.1f clocks per word\n", holds ? "ok" : "not ok", $2 / $3, $1
	exit !holds
}'
