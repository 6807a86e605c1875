#!/bin/bash
# SPDX-License-Identifier: MIT
# After a cold start no byte of the block is loaded before it was stored, as RAM with ECC demands: a plugin watches every
# access from reset on. Firmware that breaks the rule on purpose proves that the plugin detects it.
source tests/emulated/support.sh

# The value (2) or the size (3) of a symbol, from readelf -s.
symbol() {
	readelf -sW "$1" | awk -v name="$2" -v column="$3" '$8 == name { print $column; exit }'
}

while read -r board firmware; do
	elf=build/firmware/$board/$firmware.elf
	output=$work/$board-$firmware
	plugin=build/qemu/first_load.so,output=$output.loads,start=$(symbol "$elf" bareprof_block 2)
	plugin+=,size=$(symbol "$elf" bareprof_block 3)
	tests/qemu/run.sh --timeout 300 --console "$output.console" --plugin "$plugin" "$board" "$elf"
	loads=0 stores=0 early=unknown pc=0 address=0
	read -r loads stores early pc address <"$output.loads"
	if ! grep -q '^ok' "$output.console" || ((loads == 0 || stores == 0)); then
		not_ok "the firmware takes a profile: $board, $firmware"
	elif [[ $firmware != *WARM* && $firmware != *UNWRITTEN* ]]; then
		name="every load follows a store: $board, $firmware"
		if [[ $early == 0 ]]; then
			ok "$name ($loads bytes loaded)"
		else
			not_ok "$name: $early bytes were, 0x$address first, at 0x$pc"
		fi
	elif [[ $early == 0 ]]; then
		not_ok "a load before the first store is detected: $board, $firmware"
	else
		ok "a load before the first store is detected: $board, $firmware ($early bytes)"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
