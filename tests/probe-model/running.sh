#!/bin/bash
# SPDX-License-Identifier: MIT
# running.sh UMOCKDEV FOLDER: OpenOCD and pyOCD read the memory of a firmware in QEMU (firmware.sh) through the models of a probe
# and a target, after QEMU has halted it and saved the same memory.
ADDRESS=0x21000000 SIZE=32768
source tests/probe-model/readers.sh

save expected || exit 1
if [[ -z $(tr -d '\0' <"$folder/expected" | head -c 1) ]]; then
	echo "not ok the firmware's memory: all zeros"
fi
expect "OpenOCD reads a firmware's memory" --packet 512 -- "${openocd[@]}"
expect "pyOCD reads a firmware's memory" --v1 -- "${pyocd[@]}"
