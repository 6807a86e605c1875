#!/bin/bash
# SPDX-License-Identifier: MIT
# others.sh UMOCKDEV FOLDER: OpenOCD and pyOCD, which are not ours, read memory through the models of a probe and a target,
# and find in it what is there.
ADDRESS=0x20000400 SIZE=16384
source tests/probe-model/readers.sh
head -c 32768 /dev/urandom >"$folder/ram"
tail -c +1025 "$folder/ram" | head -c $SIZE >"$folder/expected"
MODEL_TARGET=file=0x20000000,$folder/ram

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
