#!/bin/bash
# SPDX-License-Identifier: MIT
# Calls in the profile equal the firmware's own counts on every ISA: under interrupts, through pointers and recursion, with
# -pg and with -finstrument-functions.
source tests/emulated/support.sh
run_counting_calls
exit $((failures != 0))
