#!/bin/bash
# SPDX-License-Identifier: MIT
# The recorder of slices refuses stack pointers that lead nowhere, without a fault; see tests/firmware/badstack.
source tests/emulated/support.sh
run_self_checking
exit $((failures != 0))
