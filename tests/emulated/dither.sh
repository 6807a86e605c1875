#!/bin/bash
# SPDX-License-Identifier: MIT
# Work that repeats at the sampling period: samples at a fixed distance all hit one phase of it and are wrong, dithered ones
# are right. The demo's second interrupt comes every 997 us, 24,925 clocks; `fixed` is the
# demo without dither; the demo samples by the board's timer, the same work in `ports` by the library's.
source tests/emulated/support.sh

while read -r board firmware; do
	output=$work/$board-$firmware
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "a profile of $firmware on $board: none was taken"
		continue
	fi
	judgement=$(perl tests/emulated/self_times.pl "$board" "$output")
	if [[ $firmware != fixed+* ]]; then
		[[ $judgement == ok\ * ]] || failures=$((failures + 1))
		echo "${judgement//agree with/agree, dithered at the period of the work, with}"
	elif grep -qE '^not ok self .*(work_interrupt|acquisition|convert_channel)' <<<"$judgement"; then
		ok "fixed distances give wrong shares: $board, $firmware"
	else
		not_ok "fixed distances give wrong shares: $board, $firmware: $judgement"
	fi
done < <(firmware_of_test)
exit $((failures != 0))
