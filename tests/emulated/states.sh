#!/bin/bash
# SPDX-License-Identifier: MIT
# A state machine whose hot functions share granules with cold ones, literal pools and jump tables: each function has the
# samples expected from the instructions that QEMU executed, and no function that never ran has its own row. The
# machine's work repeats, and the longest runs sample it at about twice its period, 400,000 times.
source tests/emulated/support.sh

while read -r board firmware; do
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "a profile of $firmware on $board: none was taken"
		continue
	fi
	perl tests/emulated/self_times.pl --each "$board" "$output" || failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
