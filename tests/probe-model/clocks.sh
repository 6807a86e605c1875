#!/bin/bash
# SPDX-License-Identifier: MIT
# clocks.sh UMOCKDEV FOLDER TOOL: cost of pulling the block of a firmware in QEMU (firmware.sh) through several kinds of probe.
# Each line has the version of CMSIS-DAP, the size of a packet and the number of packets that the probe can hold; then clocks
# on the wires for each word read, packets, and the maximum of packets in flight. For a J-Link or an FTDI chip it has the
# transport, the clocks for each word, and the number of answers. For RISC-V it has the clocks for each word, and the numbers
# of requests and of words.
source tests/probe-model/support.sh

# measure COUNTS PULL-OPTION [OPTION]...: prints clocks per word, and these counts.
measure() {
	if ! run probe "${@:3}" -- "$tool" pull "$scheme" -e "$MODEL_ELF" -o "$capture" $2; then
		cat "$output" >&2
		exit 1
	fi
	awk -v wanted="$1" '{ of[$1] = $2 }
		END {
			printf "%.1f", of["clocks"] / of["words"]
			for (count = split(wanted, names); i < count;)
				printf " %d", of[names[++i]]
			print ""
		}' "$counts"
}

[[ $MODEL_ELF != */qemu-virt-rv32/* ]] || {
	measured=$(measure "requests words" "" "${usual[@]}") || exit
	echo "$measured"
	exit
}
[[ $scheme == cmsis-dap ]] || {
	for transport in swd jtag; do
		[[ $scheme == ftdi ]] && options=(--wires $transport) || options=()
		measured=$(measure answers --transport=$transport "${options[@]}") || exit
		echo "$transport $measured"
	done
	exit
}
while read -r version packet count; do
	options=(--packet "$packet" --count "$count")
	[[ $version == 2 ]] || options+=(--v1)
	measured=$(measure "packets in-flight-most" "" "${options[@]}") || exit
	echo "$version $packet $count $measured"
done <<'END'
2 64 4
2 512 4
2 512 1
2 1024 4
1 64 4
1 512 4
END
