#!/bin/bash
# SPDX-License-Identifier: MIT
# run.sh BOARD FIRMWARE OUTPUT: runs a firmware to its end, and leaves its capture in OUTPUT.bprof and the instructions
# that it executed at each address in OUTPUT.counts.
work_of=$1/$2
source tests/target/support.sh
mkdir -p "$(dirname "$3")"
counted_profile "$1" "$2" "$3"
