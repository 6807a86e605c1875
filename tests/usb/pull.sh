#!/bin/bash
# SPDX-License-Identifier: MIT
# pull.sh UMOCKDEV TOOL FOLDER: `bareprof pull usb` through a USB device with faults. A pull ends with exactly the block of
# the firmware, or with one line and no capture.
set -u
umockdev=$1 tool=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" || exit 1

# pull CONTENT SOURCE [OPTION]...: pulls with options of umockdev. The tool's output goes to the file `output`.
pull() {
	local content=$1 source=$2
	shift 2
	rm -f "$folder/run.bprof"
	timeout 300 "$umockdev" "$@" "exec build/link/target - $content dump='$folder/block'" \
		"$tool" pull "$source" -o "$folder/run.bprof" >"$folder/output" 2>&1
}

complain() {
	printf 'not ok %s: %s\n' "$1" "$2"
	cat "$folder/output"
}

# expect_block NAME CONTENT SOURCE [OPTION]...
expect_block() {
	local name=$1
	shift
	if ! pull "$@"; then
		complain "$name" "no capture"
	elif ! cmp -n "$(stat -c %s "$folder/block")" "$folder/block" "$folder/run.bprof"; then
		complain "$name" "a different block"
	else
		echo "ok $name"
	fi
}

# expect_error NAME PATTERN CONTENT SOURCE [OPTION]...
expect_error() {
	local name=$1 pattern=$2
	shift 2
	if pull "$@"; then
		complain "$name" "it did not fail"
	elif [[ $(wc -l <"$folder/output") != 1 ]] || ! grep -q -e "$pattern" "$folder/output"; then
		complain "$name" "the output is not one line with $pattern"
	elif [[ -e $folder/run.bprof ]]; then
		complain "$name" "a capture was written"
	else
		echo "ok $name"
	fi
}

for content in empty sparse full random; do
	expect_block "the block, $content" "$content" usb
done
expect_block "the block from a named device" full usb:cafe:4010:77
expect_block "the block in short packets" full usb --longest-in 7
expect_block "the block between empty packets" full usb --empty-in 2
expect_block "the block after stalls on the way in" full usb --stall-in 20
expect_block "the block after stalls on the way out" full usb --stall-out 3
expect_block "the block from a device that gathers packets" full usb --gathers
expect_block "the block from a device that is plugged in again" full usb --plug-in-again --unplug-after 5000
expect_error "a device that stays away" "no device is attached" full usb,timeout=5 --unplug-after 5000
expect_error "a device that stays stalled" "refuses transfers (stall)" full usb,timeout=5 --stall-in 5 --stays-halted
expect_error "a device that sends empty packets only" "nothing arrived" full usb,timeout=5 --empty-in 1
expect_error "a device without permission" "no permission to open it" full usb --no-permission

"$umockdev" cat "$tool" devices >"$folder/output" 2>&1
if grep -q '^usb:cafe:4010:77  *Example board, cafe:4010, serial 77$' "$folder/output"; then
	echo "ok the device is listed"
else
	complain "the device is listed" "it is not"
fi
