#!/bin/bash
# SPDX-License-Identifier: MIT
# probe.sh VHCI TOOL FIRMWARE.elf RAM: in the virtual machine, OpenOCD reads memory through the model of a debug probe, and
# the tool pulls the capture that the firmware left in its RAM: by usbfs, and as a HID through the kernel's hidraw node or
# with the kernel's driver detached. VHCI-stlink, VHCI-jlink and VHCI-ftdi are models of other probes.
set -u
vhci=$1 tool=$2 elf=$3 device_end=--
. tests/linux-vm/support.sh

# The probe in place of the board of support.sh.
is_plugged_in() {
	[[ -e /sys/bus/usb/devices/1-1/1-1:1.0 && ($BACKEND != hid || -e /dev/hidraw0) && ($BACKEND != serial || -e /dev/ttyUSB0) ]]
}
export -f is_plugged_in

export FILE=/run/read ADDRESS=0x20000400 SIZE=16384 CORE=mem_ap DRIVER=cmsis-dap TRANSPORT=swd PORT='' AP=0 BACKEND
head -c 32768 /dev/urandom >/run/ram
tail -c +1025 /run/ram | head -c $SIZE >/run/expected

# expect NAME BACKEND [OPTION]...
expect() {
	local name=$1
	BACKEND=$2
	shift 2
	rm -f "$FILE"
	if ! with_device --counts /run/counts "$@" file=0x20000000,/run/ram -- timeout 300 openocd -f tests/probe-model/openocd.cfg >/run/output; then
		echo "not ok virtual machine: OpenOCD reads $name: it failed:"
		cat /run/output
	elif ! cmp /run/expected "$FILE"; then
		echo "not ok virtual machine: OpenOCD reads $name: other bytes"
	else
		echo "ok virtual machine: OpenOCD reads $name"
	fi
}

expect "at full speed" usb_bulk
expect "at high speed" usb_bulk --packet 512
expect "by reports" hid --v1
expect "by reports, from a target that answers WAIT" hid --v1 wait=7

cp "$4" /run/firmware-ram

# expect_capture SOURCE NAME [OPTION]...: afterwards the kernel drives the device as before.
expect_capture() {
	local source=$1 name=$2
	shift 2
	rm -f /run/run.bprof
	if ! with_device --counts /run/counts "$@" "file=0x21000000,/run/firmware-ram" "elf=$elf" -- \
		bash -c 'timeout 300 "$@" && until_true is_plugged_in' - "$tool" pull "$source" -e "$elf" -o /run/run.bprof >/run/output; then
		echo "not ok virtual machine: a capture $name: it failed:"
		cat /run/output
	elif ! cmp -n "$(od -An -tu4 -j24 -N4 /run/firmware-ram | tr -d ' ')" /run/firmware-ram /run/run.bprof; then
		echo "not ok virtual machine: a capture $name: other bytes"
	else
		echo "ok virtual machine: a capture $name"
	fi
}

BACKEND=usb_bulk
expect_capture cmsis-dap "at full speed"
expect_capture cmsis-dap "at high speed" --packet 512
BACKEND=hid
expect_capture cmsis-dap "by reports" --v1

BACKEND=usb_bulk
for source in stlink jlink; do
	vhci=$1-$source
	expect_capture $source "through $source"
done

# The kernel presents FTDI chips as serial ports.
BACKEND=serial vhci=$1-ftdi
expect_capture ftdi "through ftdi, whose serial port the kernel drives" --kind ft232h
