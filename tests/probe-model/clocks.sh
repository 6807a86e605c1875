#!/bin/bash
# SPDX-License-Identifier: MIT
# clocks.sh UMOCKDEV FOLDER TOOL: cost of pulling the block of a firmware in QEMU (firmware.sh) through kinds of probes. Each
# line has the version of CMSIS-DAP, the size of a packet and the number of packets that the probe can hold; then clocks on
# the wires for each word read, packets, and the maximum of packets in flight.
source tests/probe-model/support.sh

while read -r version packet count; do
	options=(--packet "$packet" --count "$count")
	[[ $version == 2 ]] || options+=(--v1)
	if ! run probe "${options[@]}" -- "$tool" pull cmsis-dap -e "$MODEL_ELF" -o "$capture"; then
		cat "$output" >&2
		exit 1
	fi
	awk -v kind="$version $packet $count" '{ of[$1] = $2 }
		END { printf "%s %.1f %d %d\n", kind, of["clocks"] / of["words"], of["packets"], of["in-flight-most"] }' \
		"$counts" || exit
done <<'END'
2 64 4
2 512 4
2 512 1
2 1024 4
1 64 4
1 512 4
END
