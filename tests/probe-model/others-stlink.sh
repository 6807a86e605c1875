#!/bin/bash
# SPDX-License-Identifier: MIT
# others-stlink.sh UMOCKDEV FOLDER: st-info, st-flash, OpenOCD and pyOCD read memory correctly through the models of an ST-Link
# and a target.
ADDRESS=0x20000400 SIZE=16384
source tests/probe-model/readers.sh
head -c 32768 /dev/urandom >"$folder/ram"
tail -c +1025 "$folder/ram" | head -c $SIZE >"$folder/expected"
# The size of an STM32F7's flash in KiB, without which st-flash reads nothing.
head -c 66 /dev/zero >"$folder/flash-size" && printf '\0\4' >>"$folder/flash-size"
MODEL_TARGET="file=0x20000000,$folder/ram file=0x1ff0f400,$folder/flash-size"

openocd=(openocd -f tests/probe-model/openocd-stlink.cfg)
st_flash=(st-flash read "$FILE" $ADDRESS $SIZE)
export TRANSPORT

for kind in v2 v2-1 v3; do
	run probe --kind $kind -- st-info --probe
	grep -q 'chipid: *0x0449$' "$output" && grep -q 'serial: *066EFF323535474B43152839$' "$output" && has_counts violations=0
	verdict $? "st-info identifies an STM32F7 through an ST-Link $kind" "it does not"
	expect "st-flash reads through an ST-Link $kind" --kind $kind -- "${st_flash[@]}"
	for TRANSPORT in hla_swd dapdirect_swd; do
		expect "OpenOCD reads through an ST-Link $kind, $TRANSPORT" --kind $kind -- "${openocd[@]}"
	done
done
# pyOCD 0.13.1 accepts releases from 24 on, also of version 3.
expect "pyOCD reads through an ST-Link v2" --kind v2 -- "${pyocd[@]}"
expect "pyOCD reads through an ST-Link v2-1" --kind v2-1 -- "${pyocd[@]}"
expect "pyOCD reads through an ST-Link v3" --kind v3 --release 24 -- "${pyocd[@]}"

for TRANSPORT in hla_swd dapdirect_swd; do
	expect "OpenOCD, $TRANSPORT, reads from a target that answers WAIT" wait=7 -- "${openocd[@]}"
	expect_failure "OpenOCD, $TRANSPORT, is informed of memory faults" fault=900 -- "${openocd[@]}"
	expect_failure "OpenOCD, $TRANSPORT, notices that the probe is unplugged" --unplug-after 30 -- "${openocd[@]}"
	expect_failure "OpenOCD, $TRANSPORT, is informed of a wrong status" --lie 20 -- "${openocd[@]}"
done
TRANSPORT=hla_swd expect "OpenOCD repeats an access that has to wait" --code 0x10 --lie 30 -- "${openocd[@]}"
TRANSPORT=dapdirect_swd expect "OpenOCD reads with firmware V2J28" --kind v2 --release 28 -- "${openocd[@]}"
TRANSPORT=hla_swd expect "OpenOCD reads with firmware V2J15" --kind v2 --release 15 -- "${openocd[@]}"
expect "pyOCD reads from a target that answers WAIT" wait=7 -- "${pyocd[@]}"
expect_failure "pyOCD is informed of memory faults" fault=900 -- "${pyocd[@]}"
