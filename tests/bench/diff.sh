#!/bin/bash
# SPDX-License-Identifier: MIT
# Speed and memory of `bareprof diff` on two large builds, see gprof/diff.pl.
set -eu
cd "$(dirname "$0")/../.."
exec perl tests/bench/gprof/diff.pl build/bareprof build/bench/gprof
