# SPDX-License-Identifier: MIT
# bench.pl BAREPROF FOLDER: processor time and peak memory of `bareprof gprof` and of GNU's gprof on the same large
# profiles, of growing inputs, and of merging many captures, each of the fastest of 5 runs (Measure.pm). Prints tables with
# ratios and budgets, and a line `ok` or `not ok` per budget; fails if one does not hold. FOLDER has the programs input and
# measure. GNU's is stopped after LIMIT seconds (60, from the environment), and a ratio to it is then a lower bound.
use strict;
use warnings;
use Cwd qw(abs_path);

use lib 'tests/bench/gprof';
use Measure;

my ($bareprof, $folder) = map { abs_path $_ } @ARGV;
$Measure::folder = $folder;
$Measure::limit = $ENV{LIMIT} // 60;
my $gnu = 'arm-none-eabi-gprof';
my $merged = 1000;

# KiB that each needs to start: our program loads the libraries of probes and of HTTP, which no profile fills.
my (undef, undef, $our_start) = fastest($bareprof, 'gprof', '--version');
my (undef, undef, $gnu_start) = fastest($gnu, '--version');

# --- Compared with GNU gprof.

my @rows = (
	# functions, arcs, shape, times faster at least, seconds at most, whether memory may not be more
	[20_000, 200_000, 'cycle', 50, undef, 1],
	[20_000, 60_000, 'tree', 15, undef, 0],
	[2_000, 10_000, 'tree', 1.5, undef, 0],
	[50_000, 1_000_000, 'cycle', undef, 3, 0],
);

sub compare {
	my ($functions, $arcs, $shape, $faster, $seconds, $lean) = @_;
	my @files = make_input($functions, $arcs, $shape);
	my (undef, $our_time, $our_memory) = fastest($bareprof, 'gprof', '-b', @files);
	my ($is_stopped, $gnu_time, $gnu_memory) = fastest($gnu, '-b', @files);
	$our_memory -= $our_start;
	$gnu_memory -= $gnu_start;
	my $bound = $is_stopped ? '>' : ' ';
	my $ratio = $gnu_time / $our_time;
	my $budget = defined $faster ? "$faster times faster" : "$seconds s";
	my $name = sprintf '%d functions, %d arcs, %s', $functions, $arcs, $shape eq 'cycle' ? 'one cycle' : 'few cycles';
	printf "%-45s %s%8.3f %9.3f %s%7.1f %s%8.1f %9.1f  %s\n", $name, $bound, $gnu_time, $our_time, $bound, $ratio, $bound,
		$gnu_memory / 1024, $our_memory / 1024, $budget;
	judge($ratio >= $faster, sprintf '%s: %.1f times faster, at least %s', $name, $ratio, $faster) if defined $faster;
	judge($our_time < $seconds, sprintf '%s: %.2f s, at most %s', $name, $our_time, $seconds) if defined $seconds;
	judge($our_memory <= $gnu_memory, "$name: $our_memory KiB at the most, $gnu_memory of GNU's, both beyond those to start") if $lean;
}

printf "\n%-45s %9s %9s %8s %9s %9s  %s\n", 'gprof -b', 'GNU s', 'ours s', 'ratio', 'GNU MiB', 'ours MiB', 'at least';
compare(@$_) for @rows;

# --- Growth. Reading in a little more than twice the time grows as n log n does; caches add the little.

my ($last_time, $last_arcs);
printf "\n%-45s %9s %9s %9s\n", 'bareprof gprof -b, 50000 functions, one cycle', 's', 'ratio', 'n log n';
for my $arcs (250_000, 500_000, 1_000_000) {
	my (undef, $time) = fastest($bareprof, 'gprof', '-b', make_input(50_000, $arcs, 'cycle'));
	printf "%-45s %9.3f", "$arcs arcs", $time;
	if (defined $last_time) {
		my $expected = $arcs * log($arcs) / ($last_arcs * log($last_arcs));
		printf " %9.2f %9.2f", $time / $last_time, $expected;
		judge($time / $last_time <= 1.25 * $expected,
			sprintf 'from %d to %d arcs time grows by %.2f, n log n by %.2f', $last_arcs, $arcs, $time / $last_time,
			$expected);
	}
	print "\n";
	($last_time, $last_arcs) = ($time, $arcs);
}

# --- Merging: one capture under many names, so that the disk does not matter.

my ($firmware, $gmon) = make_input(2_000, 10_000, 'tree');
system($bareprof, 'merge', '-e', $firmware, '-o', "$folder/one.bprof", $gmon) == 0 or die "merge failed\n";
mkdir "$folder/captures";
my @captures = map { "$folder/captures/$_.bprof" } 1 .. $merged;
for my $capture (@captures) {
	unlink $capture;
	link "$folder/one.bprof", $capture or die "$capture: $!\n";
}
my @merge = ($bareprof, 'merge', '-o', "$folder/sum.bprof");
my (undef, $read_time) = fastest('cat', @captures);
my (undef, $one_time, $one_memory) = fastest(@merge, $captures[0]);
my (undef, $all_time, $all_memory) = fastest(@merge, @captures);
printf "\n%-45s %9s %9s\n", "merge of captures, 10000 arcs each", 's', 'MiB';
printf "%-45s %9.3f\n", "cat of $merged", $read_time;
printf "%-45s %9.3f %9.1f\n", 'merge of 1', $one_time, $one_memory / 1024;
printf "%-45s %9.3f %9.1f\n\n", "merge of $merged", $all_time, $all_memory / 1024;
judge($all_memory <= 1.5 * $one_memory, "merge of $merged: $all_memory KiB at the most, $one_memory for one");
judge($all_time <= $merged * $one_time, sprintf 'merge of %d: %.3f s each, %.3f s for one alone', $merged,
	$all_time / $merged, $one_time);

finish();
