#!/bin/bash
# SPDX-License-Identifier: MIT
# clocks.sh UMOCKDEV FOLDER TOOL: beside a firmware that runs in QEMU (firmware.sh), what a pull of its block takes, by
# kinds of probe. A line each: the version of CMSIS-DAP, the bytes of a packet and how many packets the probe takes; then the
# clocks on the wires for each word that was read, the packets, and how many were on their way at most.
source tests/probe-model/support.sh

while read -r version packet count; do
	options=(--packet "$packet" --count "$count")
	[[ $version == 2 ]] || options+=(--v1)
	if ! run probe "${options[@]}" -- "$tool" pull cmsis-dap -e "$MODEL_ELF" -o "$capture"; then
		cat "$said" >&2
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
