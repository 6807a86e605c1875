#!/bin/bash
# SPDX-License-Identifier: MIT
# What `make size` says of the sizes that were measured: their baseline and their budgets.
cd "$(dirname "$0")/../.." || exit 1
status=0
perl tests/size/compare.pl tests/size/baseline.txt build/size/figures || status=1
echo
perl tests/bench/judge.pl --some tests/bench/budgets.txt build/size/figures || status=1
exit $status
