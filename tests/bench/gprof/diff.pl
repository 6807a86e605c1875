# SPDX-License-Identifier: MIT
# diff.pl BAREPROF FOLDER: processor time and peak memory of `bareprof diff` on two large builds. Prints a table with
# budgets, and a line `ok` or `not ok` per budget; fails if one does not hold. FOLDER has the programs input and measure.
# The fastest of 5 runs (Measure.pm).
use strict;
use warnings;
use Cwd qw(abs_path);
use lib 'tests/bench/gprof';
use Measure;

my ($bareprof, $folder) = map { abs_path $_ } @ARGV;
$Measure::folder = $folder;

sub compare {
	my ($functions, $arcs, $shape, $errors, $most) = @_;
	my @builds = map { join ':', make_input($functions, $arcs, $shape, @$_) } [], ['later'];
	my (undef, $seconds, $memory) = fastest($bareprof, 'diff', "--errors=$errors", @builds);
	my $cycles = $shape eq 'cycle' ? 'one cycle' : 'few cycles';
	my $name = "$functions functions, $arcs arcs, $cycles, --errors=$errors";
	printf "%-60s %9.3f %9.1f  %s s\n", $name, $seconds, $memory / 1024, $most;
	judge($seconds < $most, sprintf 'bareprof diff, %s: %.2f s, at most %s', $name, $seconds, $most);
}

printf "\n%-60s %9s %9s  %s\n", 'bareprof diff', 's', 'MiB', 'at most';
for my $shape ('tree', 'cycle') {
	compare(20_000, 60_000, $shape, 'off', 1);
	compare(20_000, 60_000, $shape, 'on', 10);
}
print "\n";
finish();
