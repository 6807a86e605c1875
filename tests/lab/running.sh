#!/bin/bash
# SPDX-License-Identifier: MIT
# running.sh UMOCKDEV FOLDER: beside a firmware that runs in QEMU (firmware.sh), OpenOCD and pyOCD read its memory through
# the models of a probe and a target: the same bytes that QEMU itself saves once its machine is stopped.
set -u
umockdev=$1 folder=$(realpath -m "$2")
rm -rf "$folder" && mkdir -p "$folder" || exit 1
export FILE=$folder/read ADDRESS=0x21000000 SIZE=16384 BACKEND=usb_bulk CORE=mem_ap

# expect NAME OPTION COMMAND...
expect() {
	local name=$1 option=$2
	shift 2
	rm -f "$FILE"
	if ! timeout 60 "$umockdev" $option $LAB_TARGET -- "$@" >"$folder/said" 2>&1; then
		printf 'not ok %s: it failed:\n' "$name"
		cat "$folder/said"
	elif ! cmp "$folder/saved" "$FILE"; then
		echo "not ok $name: other bytes"
	else
		echo "ok $name"
	fi
}

/usr/bin/python3 tests/lab/save.py "$LAB_QMP" "$folder/saved" $ADDRESS $SIZE || exit 1
if [[ -z $(tr -d '\0' <"$folder/saved" | head -c 1) ]]; then
	echo "not ok the firmware's memory: it is all zeros"
fi
expect "OpenOCD reads a firmware's memory" --packet=512 openocd -f tests/lab/openocd.cfg
expect "pyOCD reads a firmware's memory" --v1 /usr/bin/python3 tests/lab/read.py "$FILE" $ADDRESS $SIZE
