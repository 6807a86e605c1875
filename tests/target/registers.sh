#!/bin/bash
# SPDX-License-Identifier: MIT
# What the compilers' hooks leave in registers and on the stack.
source tests/target/support.sh
run_self_checking
exit $((failures != 0))
