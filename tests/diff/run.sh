#!/bin/bash
# SPDX-License-Identifier: MIT
# run.sh BOARD FIRMWARE OUTPUT: runs a firmware to its end. Writes its capture to OUTPUT.bprof and the number of
# instructions executed at each address to OUTPUT.counts.
work_of=$1/$2
source tests/emulated/support.sh
mkdir -p "$(dirname "$3")"
counted_profile "$1" "$2" "$3"
