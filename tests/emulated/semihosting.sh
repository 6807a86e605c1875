#!/bin/bash
# SPDX-License-Identifier: MIT
# bareprof_send() by semihosting writes a file that holds exactly the block that a gdb server reads afterwards.
source tests/emulated/support.sh
root=$PWD

while read -r board firmware; do
	elf=$root/build/firmware/$board/$firmware.elf
	name="the block is sent through semihosting: $board"
	output=$root/$work/$board
	mkdir -p "$output"
	# QEMU writes to the folder that it runs in.
	if ! (cd "$output" && "$root/tests/qemu/run.sh" --timeout 300 --until sent "$board" "$elf" \
		"$root/build/bareprof" pull 'gdb:127.0.0.1:{port}' -e "$elf" -o pulled.bprof) >"$output/log" 2>&1; then
		not_ok "$name: $(tail -n 1 "$output/log")"
		continue
	fi
	size=$(readelf -sW "$elf" | awk '$8 == "bareprof_block" { print $3 }')
	address=$(address_of "$elf" bareprof_block)
	head -c "$size" "$output/pulled.bprof" >"$output/block"
	if difference=$(perl tests/emulated/semihosting.pl "$output/bareprof.log" "$output/block" "$address" 2>&1); then
		ok "$name"
	else
		not_ok "$name: $difference"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
