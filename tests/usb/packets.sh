#!/bin/bash
# SPDX-License-Identifier: MIT
# packets.sh PROBE BOARD PACKETS: packets to a debug probe with and without faults, and to a board that sends them back.
set -u
source tests/check/split.sh
probe=$1 board=$2 packets=$3
counts=$(mktemp) && trap 'rm -f "$counts"' EXIT || exit 1

# judge NAME EXPECTED TEXT
judge() {
	if [[ $3 == "$2" ]]; then
		echo "ok $1"
	else
		printf 'not ok %s: it printed:\n%s\n' "$1" "$3"
	fi
}

# on_probe NAME TEXT [OPTION]... -- ARGUMENT...: PACKETS prints TEXT with the probe plugged in.
on_probe() {
	local options arguments
	split options arguments "${@:3}"
	judge "$1" "$2" "$(timeout 300 "$probe" "${options[@]}" -- "$packets" "${arguments[@]}" 2>&1)"
}

# on_board NAME TEXT PROGRAM [OPTION]... -- ARGUMENT...: the same with the board, whose firmware is PROGRAM.
on_board() {
	local options arguments
	split options arguments "${@:4}"
	judge "$1" "$2" "$(timeout 300 "$board" "${options[@]}" "$3" "$packets" "${arguments[@]}" 2>&1)"
}

# on_probe_retrying ARGUMENT...: on_probe, up to 20 times. Packets without a pause between them are taken for those of an
# earlier program, but on a busy machine the model pauses.
on_probe_retrying() {
	local output
	for _ in {1..20}; do
		output=$(on_probe "$@")
		[[ $output != ok* ]] || break
	done
	echo "$output"
}

late="cmsis-dap:P77: no answer came in time"
on_probe "a probe is listed" "cmsis-dap:P77 | Example probe CMSIS-DAP, cafe:4011, serial P77 | -" -- list
on_probe "a probe is recognised by its interface" "open: cmsis-dap:P77, pieces of 64 bytes, bulk" -- "" open
on_probe "a probe is recognised by its reports" "open: cmsis-dap:P77, pieces of 64 bytes, reports" --v1 -- "" open
on_probe "control characters in names are replaced" "cmsis-dap:?[2J | Example probe CMSIS-DAP, cafe:4011, serial ?[2J | -" \
	--serial $'\e[2J' -- list
on_probe "several probes are ambiguous" \
	"open: cmsis-dap: 2 devices fit; name one of them, or unplug the others: cmsis-dap:78, cmsis-dap:P77" --twin 78 -- "" open
for version in --v2 --v1; do
	options=(--count 4 --counts "$counts")
	[[ $version == --v2 ]] || options+=(--v1)
	on_probe "$version: each packet has its answer" "ask: 50 answers" "${options[@]}" -- "" ask 50 1
	on_probe "$version: each of several packets in flight has its answer" "ask: 200 answers" "${options[@]}" -- "" ask 200 4
	[[ $version == --v1 ]] || judge "$version: four packets are in flight" "in-flight-most 4" "$(grep in-flight-most "$counts")"
	on_probe "$version: long packets" "ask: 50 answers" "${options[@]}" --packet 512 -- "" ask 50 4
	on_probe "$version: a lost answer" "ask: $late" "${options[@]}" --lose 9 -- "" ask 50 1
	on_probe "$version: waiting ends at its deadline" "read: $late" "${options[@]}" -- "" read
	on_probe "$version: waiting ends when cancelled, and only then" \
		"read: cmsis-dap:P77: interrupted"$'\n'"read: $late" "${options[@]}" -- "" cancelled
done
on_probe "a stall is cleared, and packets in flight are sent again" "ask: 200 answers" --stall 7 -- "" ask 200 4
on_probe "an unplugged probe is reported" "ask: cmsis-dap:P77: the device was unplugged, for good" --unplug-after 9 -- "" ask 50 4
on_probe "an unplugged probe with reports is reported" \
	"send: cmsis-dap:P77: the device was unplugged, or refuses reports, for good" --v1 --unplug-after 9 -- "" ask 50 1

# Wrong descriptors.
none="open: cmsis-dap: no such probe is attached; is its cable plugged in? bareprof devices lists what is attached, and cmsis-dap:VID:PID selects a probe that does not identify itself"
for version in --v2 --v1; do
	[[ $version == --v1 ]] && options=(--v1) || options=()
	for wrong in "--wire 0" "--wire 65535" "--in 0x05" "--text 254"; do
		on_probe "$version: a probe with $wrong is not recognised" "$none" "${options[@]}" $wrong -- "" open
	done
	on_probe "$version: a probe with endless strings is opened by its ids" "ask: 20 answers" "${options[@]}" --text 254 -- \
		cafe:4011 ask 20 4
	on_probe_retrying "$version: answers to an earlier program are dropped" "ask: 20 answers" "${options[@]}" --stale 9 -- "" ask 20 4
done
on_probe "packets in pieces of 8 bytes" "ask: 20 answers" --wire 8 -- "" ask 20 4

# Debian's Python has the module usb.
for version in --v2 --v1; do
	options=()
	[[ $version == --v2 ]] || options+=(--v1)
	judge "$version: a probe that another program uses is not shared" "open: cmsis-dap:P77: cannot open it: another program uses it" \
		"$(timeout 300 "$probe" "${options[@]}" -- /usr/bin/python3 tests/usb/claimed.py "$packets" "" open 2>&1)"
done

stalled="cmsis-dap:77: the device refuses transfers (stall), for good"
on_board "a board is not listed as a probe" "" cat -- list
on_board "a probe is recognised by a part of its interface's name" "cmsis-dap:77 | Example board, cafe:4010, serial 77 | -" \
	cat --name "A CMSIS-DAP v2" -- list
on_board "a device with another name is opened by its ids" "open: cmsis-dap:cafe:4010:77, pieces of 64 bytes, bulk" cat -- cafe:4010 open
on_board "a stall on the way out is cleared" "ask: 20 answers" cat --name CMSIS-DAP --stall-out 50 -- "" ask 20 1
on_board "a stall that stays ends it, on the way in" "ask: $stalled" cat --name CMSIS-DAP --stall-in 3 --stays-halted -- \
	"" ask 20 1
on_board "a stall that stays ends it, on the way out" "ask: $stalled" cat --name CMSIS-DAP --stall-out 3 --stays-halted -- \
	"" ask 20 1
on_board "empty packets are skipped" "ask: 20 answers" cat --name CMSIS-DAP --empty-in 2 -- "" ask 20 1
on_board "waiting ends in spite of empty packets" "read: cmsis-dap:77: only empty packets came" yes --name CMSIS-DAP --empty-in 1 \
	-- "" read
rule='put the line SUBSYSTEM=="usb", ATTR{idVendor}=="cafe", ATTR{idProduct}=="4010", TAG+="uaccess" into /etc/udev/rules.d/70-bareprof.rules and plug it in again'
on_board "missing permission is reported with a udev rule for an unknown probe" "open: cmsis-dap:77: no permission to open it; $rule" \
	cat --no-permission --name CMSIS-DAP -- "" open
rules="put bareprof's udev/70-bareprof-probes.rules into /etc/udev/rules.d, unless make install put it into /usr/lib or /usr/local/lib, and plug it in again"
on_probe "missing permission is reported with the file of udev rules" "open: cmsis-dap:P77: no permission to open it; $rules" \
	--no-permission -- "" open
