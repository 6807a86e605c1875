# SPDX-License-Identifier: MIT
# same.pl ELF FOLDER: compares captures of one build with each other, and counts the comparisons that report a change.
# FOLDER has 200 captures, 0.bprof and so on.
use strict;
use warnings;

my ($elf, $folder) = @ARGV;

# Whether any function, arc or the whole is reported as changed.
sub changed {
	my ($first, $count, @options) = @_;
	my @runs = map { "$folder/" . ($first + $_) . '.bprof' } 0 .. 2 * $count - 1;
	my @words = map { my $build = $_; "$elf:" . join ',', map { $runs[2 * $_ + $build] } 0 .. $count - 1 } 0, 1;
	open my $output, '-|', 'build/bareprof', 'diff', '--format=json', @options, @words or die "build/bareprof: $!\n";
	my $text = join '', <$output>;
	close $output or die "bareprof diff of @words: failed\n";
	die "bareprof diff of @words has no verdicts\n" unless $text =~ /"self": \{"verdict": "noise"/;
	return $text =~ /"verdict": "(?:more|less)"/;
}

# PAIRS of COUNT captures a side. At 95 %, one pair in twenty may have a change, plus three standard deviations.
sub check {
	my ($name, $pairs, $count, @options) = @_;
	my $false = grep { changed(2 * $count * $_, $count, @options) } 0 .. $pairs - 1;
	my $max = int(0.05 * $pairs + 3 * sqrt(0.05 * 0.95 * $pairs));
	printf "%s the same build twice, %s: %d of %d pairs have a change, at most %d\n", $false <= $max ? 'ok' : 'not ok', $name,
		$false, $pairs, $max;
	return $false <= $max;
}

my @held = (check('per call', 100, 1, '--per-call-of=run_round'), check('per second', 100, 1, '--per-second'),
	check('five captures a side', 20, 5));
exit(@held == grep { $_ } @held ? 0 : 1);
