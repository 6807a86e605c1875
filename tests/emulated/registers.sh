#!/bin/bash
# SPDX-License-Identifier: MIT
# The compilers' hooks preserve registers and the stack.
source tests/emulated/support.sh
run_self_checking
exit $((failures != 0))
