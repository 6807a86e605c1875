#!/bin/bash
# SPDX-License-Identifier: MIT
# RAM full of garbage and instrumented code before init: the firmware checks itself and says so on the console.
source tests/target/support.sh

while read -r board firmware; do
	console=$work/$board-$firmware.console
	tests/qemu/run.sh --console "$console" "$board" "build/firmware/$board/$firmware.elf"
	status=$?
	sed -n "s/^ok .*/&: $board, $firmware/p" "$console"
	while read -r _ _ name; do
		not_ok "$name ($board, $firmware)"
	done < <(grep '^not ok ' "$console")
	if [[ $status -ne 0 ]] || ! grep -q '^ok ' "$console"; then
		not_ok "the firmware comes to its end: $board, $firmware: exit status $status"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
