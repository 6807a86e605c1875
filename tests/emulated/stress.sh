#!/bin/bash
# SPDX-License-Identifier: MIT
# Calls under two nested interrupts that make the same calls are counted exactly: the short form of landings.sh.
source tests/emulated/support.sh
run_self_checking
exit $((failures != 0))
