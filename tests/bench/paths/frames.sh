#!/bin/bash
# SPDX-License-Identifier: MIT
# frames.sh FIRMWARE BOARD...: prints `instructions-frame BOARD NUMBER`: the instructions of a tick that counts a path, beyond those
# of its sample, for each function of the path, rounded up.
set -u
firmware=$1
shift
source tests/emulated/support.sh
for board; do
	output=$work/$board
	counted_profile "$board" "$firmware" "$output" && perl tests/bench/paths/frames.pl "$board" "$output" || exit 1
done
