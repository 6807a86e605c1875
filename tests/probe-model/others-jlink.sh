#!/bin/bash
# SPDX-License-Identifier: MIT
# others-jlink.sh UMOCKDEV FOLDER: OpenOCD reads memory correctly through the models of a J-Link and a target. It uses libjaylink,
# as the tool does; packets-jlink.py checks the model without it.
ADDRESS=0x20000400 SIZE=16384
source tests/probe-model/readers.sh
head -c 32768 /dev/urandom >"$folder/ram"
tail -c +1025 "$folder/ram" | head -c $SIZE >"$folder/expected"
MODEL_TARGET="file=0x20000000,$folder/ram"


for TRANSPORT in swd jtag; do
	for kind in v8 v9 ob v11; do
		expect "OpenOCD, $TRANSPORT, reads through a J-Link $kind" --kind $kind -- "${openocd[@]}"
		has_counts kilohertz=4000 connected=0
		verdict $? "OpenOCD, $TRANSPORT, sets the clock of a J-Link $kind, and unregisters" "it does not"
	done
	expect_failure "OpenOCD, $TRANSPORT, is informed of memory faults" fault=900 -- "${openocd[@]}"
done
# OpenOCD 0.12.0 considers the probe's memory for SWD only. Over SWD it ends at the first WAIT, and prints errors of the probe
# without failing.
TRANSPORT=swd expect "OpenOCD reads through a J-Link with little memory" --kind v8 --memory 1024 -- "${openocd[@]}"
TRANSPORT=jtag expect "OpenOCD reads from a target that answers WAIT" wait=7 -- "${openocd[@]}"
TRANSPORT=swd read_memory --refuse 30 --code 5 -- "${openocd[@]}"
grep -q 'SWD I/O operation failed: 0x5' "$output"
verdict $? "OpenOCD prints the status of a shift that was refused" "it does not"
