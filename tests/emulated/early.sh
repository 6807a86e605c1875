#!/bin/bash
# SPDX-License-Identifier: MIT
# RAM full of garbage and instrumented code before init: nothing of the block is touched.
source tests/emulated/support.sh
run_self_checking
exit $((failures != 0))
