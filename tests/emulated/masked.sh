#!/bin/bash
# SPDX-License-Identifier: MIT
# Ticks that the hardware merged while interrupts were masked are counted, if the timer shows them.
source tests/emulated/support.sh
run_self_checking
exit $((failures != 0))
