#!/bin/bash
# SPDX-License-Identifier: MIT
# The time of a report, without the parts that GNU gprof does not have, compared with GNU gprof on the same profile:
# whole processes alternately, medians of one run.
set -eu
cd "$(dirname "$0")/../.."
elf=build/firmware/mps2-an385/demo.elf
work=build/bench
mkdir -p "$work"
tests/qemu/run.sh --until 'demo: done' mps2-an385 "$elf" \
	build/bareprof pull 'gdb:127.0.0.1:{port}' -e "$elf" -o "$work/demo.bprof" 2>/dev/null
build/bareprof export gmon -o "$work/gmon.out" "$elf" "$work/demo.bprof"
perl -MTime::HiRes=time -e '
	my ($ours, $gnu) = map { [split] } @ARGV;
	sub seconds {
		my $start = time;
		defined(my $child = fork) or die "fork: $!";
		if ($child == 0) { open STDOUT, ">", "/dev/null"; exec @_ or die "$_[0]: $!" }
		waitpid $child, 0;
		die "@_ failed\n" if $?;
		return time - $start;
	}
	sub median { my @sorted = sort { $a <=> $b } @_; return $sorted[@sorted / 2] }
	my (@a, @b);
	for (0 .. 20) { push @a, seconds(@$ours); push @b, seconds(@$gnu) }
	printf "\n%-28s %10.2f ms\n%-28s %10.2f ms\n%-28s %10.2f\n", "bareprof report, median", 1e3 * median(@a),
		"GNU gprof -b, median", 1e3 * median(@b), "ratio", median(@a) / median(@b);
' "build/bareprof report --errors=off $elf $work/demo.bprof" "arm-none-eabi-gprof -b $elf $work/gmon.out"
