#!/bin/bash
# SPDX-License-Identifier: MIT
# jtag.sh BITBANG FOLDER: OpenOCD reads memory correctly through the JTAG pins of the target model.
ADDRESS=0x20000400 SIZE=16384
source tests/probe-model/readers.sh
head -c 32768 /dev/urandom >"$folder/ram"
tail -c +1025 "$folder/ram" | head -c $SIZE >"$folder/expected"
export SOCKET=$folder/socket BOUNDARY=0 IR=4 MEMORY=sysbus

configuration=bitbang.cfg

# jtag [TARGET]...: whether OpenOCD reads the memory of this target.
jtag() {
	rm -f "$FILE"
	timeout 300 "$umockdev" "$SOCKET" "file=0x20000000,$folder/ram" "$@" -- openocd -f "tests/probe-model/$configuration" >"$output" 2>&1 &&
		cmp "$folder/expected" "$FILE" >>"$output"
}

jtag
verdict $? "OpenOCD reads over JTAG" "failed, or different bytes"
CORE=cortex_m jtag
verdict $? "OpenOCD examines a Cortex-M over JTAG, and reads" "failed, or different bytes"
jtag wait=7
verdict $? "OpenOCD reads over JTAG from a target that answers WAIT" "failed, or different bytes"
BOUNDARY=5 jtag boundary=5
verdict $? "OpenOCD reads from a chain of two devices" "failed, or different bytes"
adiv6="dpidr=0x4c013477 ap=0x2000"
for IR in 4 8; do
	CORE=cortex_m PORT=-adiv6 AP=0x2000 jtag $adiv6 ir=$IR
	verdict $? "OpenOCD reads over JTAG through a debug port of version 3, with instructions of $IR bits" "failed, or different bytes"
done
IR=4
! PORT=-adiv6 AP=0x2000 jtag $adiv6 fault=900
verdict $? "OpenOCD is informed of memory faults over JTAG through a debug port of version 3" "no error"
! jtag fault=900
verdict $? "OpenOCD is informed of memory faults over JTAG" "no error"
! jtag unplug=900
verdict $? "OpenOCD notices that the JTAG wires are unplugged" "no error"

configuration=riscv.cfg
jtag riscv=1
verdict $? "OpenOCD examines a RISC-V hart, and reads through the system bus" "failed, or different bytes"
jtag riscv=1 abits=11 dmi-busy=5 dmi-idle=2
verdict $? "OpenOCD reads through a debug transport that answers busy" "failed, or different bytes"
BOUNDARY=6 jtag riscv=1 boundary=6
verdict $? "OpenOCD reads from a hart in a chain of two devices" "failed, or different bytes"
MEMORY=progbuf jtag riscv=1 bus=0 progbuf=3
verdict $? "OpenOCD reads through the program buffer of a halted hart" "failed, or different bytes"
MEMORY=progbuf jtag riscv=1 bus=0 progbuf=16 xlen=64 command-busy=100
verdict $? "OpenOCD reads through the program buffer of a slow hart of 64 bits" "failed, or different bytes"
MEMORY=abstract jtag riscv=1 bus=0 abstract=1
verdict $? "OpenOCD reads with abstract commands" "failed, or different bytes"
MEMORY=abstract jtag riscv=1 bus=0 abstract=1 xlen=64 command-busy=100
verdict $? "OpenOCD reads with abstract commands from a slow hart of 64 bits" "failed, or different bytes"
! jtag riscv=1 fault=900
verdict $? "OpenOCD is informed of errors of the system bus" "no error"
