#!/bin/bash
# SPDX-License-Identifier: MIT
# Seconds that each export of a large profile takes, as a whole process: 20,000 functions with 60,000 arcs, first from symbols
# alone, where 1 s is allowed, then with source lines and calls at their sites, where 3 s are. Fails if one takes longer.
set -eu
cd "$(dirname "$0")/../.."
work=build/bench/exports
mkdir -p "$work"

# Each function calls three later ones, and loops in between, so that it has several lines to be sampled.
describe_source() {
	awk 'BEGIN {
		functions = 20000
		srand(1)
		print "volatile unsigned work;"
		for (i = 0; i < functions; i++) printf "void f%d(void);\n", i
		for (i = 0; i < functions; i++) {
			printf "void f%d(void)\n{\n\twork += %d;\n", i, i
			for (j = 0; j < 3 && i + 1 < functions; j++)
				printf "\tf%d();\n\twork ^= work >> %d;\n", i + 1 + int(rand() * (functions - i - 1)), j + 1
			print "}"
		}
	}'
}

# A gmon.out (gmon_out.h of binutils) with samples in each function, in bins of 4 bytes, and a call from each of its sites.
write_capture() {
	arm-none-eabi-objdump -d "$work/lines.elf" | perl -e '
		my ($low, $high, %samples, @arcs);
		while (<>) {
			if (/^([0-9a-f]+) <f\d+>:/) { $low //= hex $1; $samples{(hex($1) - $low >> 2) + $_} = 1 + $. % 50 for 0 .. 7 }
			($high, my $rest) = (hex $1, $2) if /^ *([0-9a-f]+):\t(.*)/;
			push @arcs, [$high, hex $1, 1 + $. % 1000] if ($rest // "") =~ /\tbl\t([0-9a-f]+) <f\d+>/;
		}
		my $bins = ($high - $low >> 2) + 16;
		binmode STDOUT;
		print "gmon", pack("V x12", 1), pack("C V4 a15 a", 0, $low, $low + 4 * $bins, $bins, 1000, "seconds", "s"),
			pack("v*", map { $samples{$_} // 0 } 0 .. $bins - 1), map { pack "C V3", 1, @$_ } @arcs;'
}

build/bench/gprof/input 20000 60000 tree "$work"
mv "$work/fw.elf" "$work/symbols.elf" && mv "$work/gmon.out" "$work/symbols.bprof"
describe_source | arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O0 -x c -c - -o "$work/lines.o"
arm-none-eabi-ld -Ttext=0x8000 -e f0 "$work/lines.o" -o "$work/lines.elf"
write_capture >"$work/lines.bprof"

perl -MTime::HiRes=time -e '
	my ($tool, $work, @formats) = @ARGV;
	my $failed = 0;
	my %allowed = (symbols => 1, lines => 3);
	printf "\n%-12s %12s %12s\n", "export", "symbols, s", "lines, s";
	for my $format (@formats) {
		printf "%-12s", $format;
		for my $input ("symbols", "lines") {
			if ($format eq "lcov" && $input eq "symbols") { # a tracefile has only functions with lines
				printf " %12s", "";
				next;
			}
			my $best = 1e9;
			for (1 .. 3) {
				my $start = time;
				system($tool, "export", $format, "-o", "$work/out", "$work/$input.elf", "$work/$input.bprof") == 0
					or die "export $format failed\n";
				$best = time - $start if time - $start < $best;
			}
			printf " %12.2f", $best;
			$failed ||= $best > $allowed{$input};
		}
		print "\n";
	}
	print $failed ? "not ok: an export takes longer than 1 s, or 3 s with lines\n" : "ok: at most 1 s, and 3 s with lines\n";
	exit $failed' build/bareprof "$work" $(build/bareprof export --help | awk '/^RUN is/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
