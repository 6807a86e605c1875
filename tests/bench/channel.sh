#!/bin/bash
# SPDX-License-Identifier: MIT
# The part of a line that carries the block, and the time that a pull takes, see channel/bench.pl.
set -eu
cd "$(dirname "$0")/../.."
work=build/bench/channel
mkdir -p "$work"
elf=build/firmware/mps2-an385/demo.elf
tests/qemu/run.sh --until 'demo: done' mps2-an385 "$elf" \
	build/bareprof pull 'gdb:127.0.0.1:{port}' -e "$elf" -o "$work/demo.bprof"
exec perl -Itests/link tests/bench/channel/bench.pl "$work"
