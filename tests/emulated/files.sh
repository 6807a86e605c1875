#!/bin/bash
# SPDX-License-Identifier: MIT
# A file system, on RISC-V by the machine timer: every call is counted, the time outside the recorder and every function's
# samples agree with the instructions that QEMU executed, and no function that never ran has time.
source tests/emulated/support.sh

while read -r board firmware; do
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "a profile of $firmware on $board: none was taken"
		continue
	fi
	perl tests/emulated/truth.pl "$board" "$firmware" "$output" || failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
