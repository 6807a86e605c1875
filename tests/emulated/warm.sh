#!/bin/bash
# SPDX-License-Identifier: MIT
# The cost of a tick is right after warm resets, although the timer then starts at another distance than the last one drawn.
source tests/emulated/support.sh
run_self_checking
exit $((failures != 0))
