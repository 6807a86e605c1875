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
# Each byte of r7 and lr is its number; the program counter of the first halt is the second halfword.
run probe --packet 512 stack=0x20000100 pcs=0x20000000,64 -- env -u FILE CORE=cortex_m "${openocd[@]}" -c init -c 'halt 5000' \
	-c 'foreach name {r7 sp lr pc} { echo [reg $name force] }' -c resume -c shutdown &&
	grep -q '^r7 (/32): 0x07070707$' "$output" && grep -q '^sp (/32): 0x20000100$' "$output" &&
	grep -q '^lr (/32): 0x0e0e0e0e$' "$output" && grep -q '^pc (/32): 0x20000002$' "$output" && has_counts halts=1
verdict $? "OpenOCD reads the registers of a halted Cortex-M" "failed, or other values"
for packet in 64 512; do
	TRANSPORT=jtag expect "OpenOCD reads over JTAG in packets of $packet" --packet $packet -- "${openocd[@]}"
done
TRANSPORT=jtag CORE=cortex_m expect "OpenOCD examines a Cortex-M over JTAG, and reads" --packet 512 -- "${openocd[@]}"
export PORT=-adiv6 AP=0x2000
expect "OpenOCD reads through a debug port of version 3" --packet 512 dpidr=0x4c013477 ap=0x2000 -- "${openocd[@]}"
CORE=cortex_m AP=0x4000 expect "OpenOCD examines a core of an RP2350, and reads" --packet 512 rp2350=1 -- "${openocd[@]}"
# expect_ports SHAPE: the ROM tables of this shape list both access ports.
expect_ports() {
	run probe --packet 512 dpidr=0x4c013477 ap=0x2000 ap2=0x4000 rom=$1 -- \
		env -u FILE "${openocd[@]}" -c init -c 'echo [model.dap info root]' -c shutdown &&
		[[ $(grep -c 'Type is MEM-AP AHB5 with enhanced HPROT' "$output") == 2 ]]
	verdict $? "OpenOCD finds the access ports by $1 ROM tables" "it does not"
}
expect_ports usual
expect_ports nested
for core in 0 1; do
	PORT="-dp-id 0x01002927 -instance-id $core" AP=0 CORE=cortex_m expect "OpenOCD selects core $core of an RP2040" --packet 512 \
		rp2040=1 -- "${openocd[@]}"
	has_counts rescues=0
	verdict $? "the RP2040 is not reset" "counts"
done
PORT='' AP=0
expect_failure "OpenOCD is informed of memory faults" --packet 512 fault=900 -- "${openocd[@]}"
expect_failure "OpenOCD rejects an answer to another command" --packet 512 --mistake 100 -- "${openocd[@]}"
expect_failure "OpenOCD notices that the probe is unplugged" --packet 512 --unplug-after 100 -- "${openocd[@]}"

expect "pyOCD reads by reports" --v1 -- "${pyocd[@]}"
expect "pyOCD reads by reports of 512 bytes" --v1 --packet 512 -- "${pyocd[@]}"
expect "pyOCD reads from a target that answers WAIT" --v1 wait=7 -- "${pyocd[@]}"
expect "pyOCD reads through a debug port of version 2" --v1 dpidr=0x0bc12477 -- "${pyocd[@]}"
expect_failure "pyOCD is informed of memory faults" --v1 fault=900 -- "${pyocd[@]}"
