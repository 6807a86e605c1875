#!/bin/bash
# SPDX-License-Identifier: MIT
# running.sh UMOCKDEV FOLDER: beside a firmware that runs in QEMU (firmware.sh), OpenOCD and pyOCD read its memory through
# the models of a probe and a target: the same bytes that QEMU itself saves once its machine is stopped.
ADDRESS=0x21000000 SIZE=32768
source tests/probe-model/readers.sh

save expected || exit 1
if [[ -z $(tr -d '\0' <"$folder/expected" | head -c 1) ]]; then
	echo "not ok the firmware's memory: it is all zeros"
fi
expect "OpenOCD reads a firmware's memory" --packet=512 -- "${openocd[@]}"
expect "pyOCD reads a firmware's memory" --v1 -- "${pyocd[@]}"
