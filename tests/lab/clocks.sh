#!/bin/bash
# SPDX-License-Identifier: MIT
# clocks.sh UMOCKDEV FOLDER FIRMWARE.elf: beside a firmware that runs in QEMU (firmware.sh), what a pull of its block takes,
# by kinds of probe. A line each: the version of CMSIS-DAP, the bytes of a packet and how many packets the probe takes; then
# the clocks on the wires for each word that was read, the packets, and how many were on their way at most.
set -eu
umockdev=$1 folder=$2 firmware=$3
mkdir -p "$folder"

while read -r version packet count; do
	options=(--packet "$packet" --count "$count" --counts "$folder/counts")
	[[ $version == 2 ]] || options+=(--v1)
	"$umockdev" "${options[@]}" $LAB_TARGET -- build/bareprof pull cmsis-dap -e "$firmware" -o "$folder/run.bprof" \
		2>"$folder/said" || {
		cat "$folder/said" >&2
		exit 1
	}
	awk -v kind="$version $packet $count" '{ of[$1] = $2 }
		END { printf "%s %.1f %d %d\n", kind, of["clocks"] / of["words"], of["packets"], of["in-flight-most"] }' \
		"$folder/counts"
done <<'END'
2 64 4
2 512 4
2 512 1
2 1024 4
1 64 4
1 512 4
END
