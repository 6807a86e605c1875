#!/bin/bash
# SPDX-License-Identifier: MIT
# others.sh UMOCKDEV FOLDER: OpenOCD and pyOCD, which are not ours, read memory through the models of a probe and a target,
# and find in it what is there.
set -u
source tests/check/split.sh
umockdev=$1 folder=$2
rm -rf "$folder" && mkdir -p "$folder" || exit 1
head -c 32768 /dev/urandom >"$folder/ram"
export FILE=$folder/read ADDRESS=0x20000400 SIZE=16384
tail -c +1025 "$folder/ram" | head -c $SIZE >"$folder/expected"

openocd=(openocd -f tests/lab/openocd.cfg)
# Debian's, of which the modules are.
pyocd=(/usr/bin/python3 tests/lab/read.py "$FILE" $ADDRESS $SIZE)

# run [OPTION]... -- COMMAND...: what was said and counted is left in the folder.
run() {
	local options command
	split options command "$@"
	rm -f "$FILE" "$folder/counts"
	timeout 60 "$umockdev" --counts "$folder/counts" "${options[@]}" "file=0x20000000,$folder/ram" -- "${command[@]}" \
		>"$folder/said" 2>&1
}

complain() {
	printf 'not ok %s: %s\n' "$1" "$2"
	cat "$folder/said" "$folder/counts"
}

count() { sed -n "s/^$1 //p" "$folder/counts"; }

# expect NAME [OPTION]... -- COMMAND...: it reads what there is, and neither asks for more than a packet holds nor meets
# the target's driving the line.
expect() {
	local name=$1
	shift
	if ! run "$@"; then
		complain "$name" "it failed"
	elif ! cmp "$folder/expected" "$FILE"; then
		complain "$name" "other bytes"
	elif [[ $(count collisions) != 0 || $(count violations) != 0 ]]; then
		complain "$name" "the probe did what it must not, or was asked to"
	else
		echo "ok $name"
	fi
}

# expect_failure NAME [OPTION]... -- COMMAND...
expect_failure() {
	local name=$1
	shift
	run "$@"
	if [[ $? != 1 ]]; then
		complain "$name" "it did not fail, or not by itself"
	else
		echo "ok $name"
	fi
}

export BACKEND=usb_bulk CORE=mem_ap
for packet in 64 512 1024; do
	expect "OpenOCD reads in packets of $packet" --packet $packet -- "${openocd[@]}"
done
expect "OpenOCD reads with one packet at a time" --count 1 -- "${openocd[@]}"
expect "OpenOCD reads from a target that lets it wait" --packet 512 wait=7 -- "${openocd[@]}"
expect "OpenOCD reads from the second version of the debug port" --packet 512 dpidr=0x0bc12477 -- "${openocd[@]}"
CORE=cortex_m expect "OpenOCD examines a Cortex-M, and reads" --packet 512 -- "${openocd[@]}"
expect_failure "OpenOCD is told of faults of memory" --packet 512 fault=900 -- "${openocd[@]}"
expect_failure "OpenOCD meets an answer to another command" --packet 512 --mistake 100 -- "${openocd[@]}"
expect_failure "OpenOCD loses the probe" --packet 512 --unplug-after 100 -- "${openocd[@]}"

expect "pyOCD reads by reports" --v1 -- "${pyocd[@]}"
expect "pyOCD reads by reports of 512 bytes" --v1 --packet 512 -- "${pyocd[@]}"
expect "pyOCD reads from a target that lets it wait" --v1 wait=7 -- "${pyocd[@]}"
expect "pyOCD reads from the second version of the debug port" --v1 dpidr=0x0bc12477 -- "${pyocd[@]}"
expect_failure "pyOCD is told of faults of memory" --v1 fault=900 -- "${pyocd[@]}"
