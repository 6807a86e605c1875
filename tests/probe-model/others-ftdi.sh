#!/bin/bash
# SPDX-License-Identifier: MIT
# others-ftdi.sh UMOCKDEV FOLDER: OpenOCD reads memory correctly through the models of boards with an FTDI chip and of a target,
# with its own configurations for these boards.
ADDRESS=0x20000400 SIZE=16384
source tests/probe-model/readers.sh
head -c 32768 /dev/urandom >"$folder/ram"
tail -c +1025 "$folder/ram" | head -c $SIZE >"$folder/expected"
MODEL_TARGET="file=0x20000000,$folder/ram"
export INTERFACES

# KIND, wires, INTERFACES
while read -r kind wires INTERFACES; do
	TRANSPORT=${wires%-*}
	options=(--kind $kind --wires $TRANSPORT)
	[[ $wires != *-resistor ]] || options+=(--resistor)
	expect "OpenOCD reads by $wires through $kind" "${options[@]}" -- "${openocd[@]}"
done <<'END'
ft232h swd ft232h-module-swd
ft232h swd-resistor ft232h-module-swd
ft2232h swd minimodule-swd
minimodule swd-resistor minimodule swd-resistor-hack
tigard swd-resistor tigard swd-resistor-hack
olimex-swd swd olimex-arm-usb-ocd-h olimex-arm-jtag-swd
minimodule jtag minimodule
tigard jtag tigard
olimex jtag olimex-arm-usb-ocd-h
esp-prog jtag esp32_devkitj_v1
END

INTERFACES=minimodule-swd TRANSPORT=swd
expect_failure "OpenOCD is informed of memory faults over SWD" --kind ft2232h fault=900 -- "${openocd[@]}"
INTERFACES=minimodule TRANSPORT=jtag
expect "OpenOCD reads over JTAG from a target that answers WAIT" --kind minimodule --wires jtag wait=7 -- "${openocd[@]}"
expect_failure "OpenOCD is informed of memory faults over JTAG" --kind minimodule --wires jtag fault=900 -- "${openocd[@]}"
expect_failure "OpenOCD notices that the device is unplugged" --kind minimodule --wires jtag --unplug-after 10 -- "${openocd[@]}"
