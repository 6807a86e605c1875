#!/bin/bash
# SPDX-License-Identifier: MIT
# Speed and memory of `bareprof gprof` and `bareprof merge` on large inputs, see gprof/bench.pl.
set -eu
cd "$(dirname "$0")/../.."
exec perl tests/bench/gprof/bench.pl build/bareprof build/bench/gprof
