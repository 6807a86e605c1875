#!/bin/bash
# SPDX-License-Identifier: MIT
# others.sh UMOCKDEV FOLDER: OpenOCD and pyOCD read memory correctly through the models of a probe and a target.
ADDRESS=0x20000400 SIZE=16384
source tests/probe-model/readers.sh
head -c 32768 /dev/urandom >"$folder/ram"
tail -c +1025 "$folder/ram" | head -c $SIZE >"$folder/expected"
MODEL_TARGET=file=0x20000000,$folder/ram

for packet in 64 512 1024; do
	expect "OpenOCD reads in packets of $packet" --packet $packet -- "${openocd[@]}"
done
expect "OpenOCD reads with one packet at a time" --count 1 -- "${openocd[@]}"
expect "OpenOCD reads from a target that answers WAIT" --packet 512 wait=7 -- "${openocd[@]}"
expect "OpenOCD reads through a debug port of version 2" --packet 512 dpidr=0x0bc12477 -- "${openocd[@]}"
CORE=cortex_m expect "OpenOCD examines a Cortex-M, and reads" --packet 512 -- "${openocd[@]}"
for packet in 64 512; do
	TRANSPORT=jtag expect "OpenOCD reads by JTAG in packets of $packet" --packet $packet -- "${openocd[@]}"
done
TRANSPORT=jtag CORE=cortex_m expect "OpenOCD examines a Cortex-M by JTAG, and reads" --packet 512 -- "${openocd[@]}"
expect_failure "OpenOCD is informed of faults of memory" --packet 512 fault=900 -- "${openocd[@]}"
expect_failure "OpenOCD rejects an answer to another command" --packet 512 --mistake 100 -- "${openocd[@]}"
expect_failure "OpenOCD notices that the probe is unplugged" --packet 512 --unplug-after 100 -- "${openocd[@]}"

expect "pyOCD reads by reports" --v1 -- "${pyocd[@]}"
expect "pyOCD reads by reports of 512 bytes" --v1 --packet 512 -- "${pyocd[@]}"
expect "pyOCD reads from a target that answers WAIT" --v1 wait=7 -- "${pyocd[@]}"
expect "pyOCD reads through a debug port of version 2" --v1 dpidr=0x0bc12477 -- "${pyocd[@]}"
expect_failure "pyOCD is informed of faults of memory" --v1 fault=900 -- "${pyocd[@]}"
