#!/bin/bash
# SPDX-License-Identifier: MIT
# The report of `make size`: the measured sizes with their baseline and budgets.
cd "$(dirname "$0")/../.." || exit 1
status=0
perl tests/size/compare.pl tests/size/baseline.txt build/size/figures || status=1
echo
perl tests/bench/judge.pl --some tests/bench/budgets.txt build/size/figures || status=1
exit $status
