#!/bin/bash
# SPDX-License-Identifier: MIT
# Ticks that the hardware merged while interrupts were masked are counted where the timer can tell.
source tests/target/support.sh
run_self_checking
exit $((failures != 0))
