# SPDX-License-Identifier: MIT
# lines.pl NAME RUN...: compares the samples of source lines, and their stated errors, with the instructions that were
# executed. RUN.lines is the output of print_lines, RUN.counts the plugin's file, RUN.places the lines of its addresses by
# addr2line. Prints a line `ok` or `not ok`. If the errors are right, some 32 % of the lines are off by more than one error,
# 5 % by two, 0.3 % by three. If the errors are too large, fewer lines are beyond one and two; beyond three there are too
# few lines to see that.
use strict;
use warnings;
use List::Util qw(max sum0);
use POSIX qw(erfc);

# A line with fewer samples to expect is too far from a normal distribution.
use constant FEWEST_SAMPLES => 10;
# Errors count as right within this factor, and shares of lines within so many standard deviations of a binomial.
use constant FACTOR => 1.1;
use constant SIGMAS => 3;

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	return <$file>;
}

# Instructions executed by line.
sub truth_of {
	my ($run) = @_;
	my (%truth, @places);
	for (lines_of("$run.places")) {
		push @places, m{([^/]+:\d+)(?: |$)} ? $1 : '?:0';
	}
	for my $line (lines_of("$run.counts")) {
		my (undef, $count) = split ' ', $line;
		$truth{shift @places} += $count;
	}
	return %truth;
}

# [line, deviation in errors, samples, expected, error] of each line that is compared. Lines that are partly the
# recorder's are left out, as are lines of interrupt entries: where interrupts are enabled again, the ticks of the masked
# lines before are sampled.
sub compare {
	my ($run) = @_;
	my %truth = truth_of($run);
	my (%samples, %variance);
	for (lines_of("$run.lines")) {
		my ($line, $samples, $variance) = split;
		$samples{$line} += $samples;
		$variance{$line} += $variance;
	}
	my @common = grep { exists $truth{$_} && $_ ne '?:0' && !/^vectors\.S:/ } keys %samples;
	my ($all_samples, $all_truth) = (0, 0);
	$all_samples += $samples{$_} for @common;
	$all_truth += $truth{$_} for @common;
	return map {
		my $expected = $truth{$_} * $all_samples / $all_truth;
		my $error = sqrt($variance{$_} > 0 ? $variance{$_} : 1e-9);
		$expected < FEWEST_SAMPLES && $samples{$_} < FEWEST_SAMPLES ? ()
			: [$_, ($samples{$_} - $expected) / $error, $samples{$_}, $expected, $error]
	} sort @common;
}

# The minimum and the maximum of lines that should be off by this many errors, of the given number of lines.
sub bounds {
	my ($rows, $errors) = @_;
	my ($low, $high) = map { erfc($errors * $_ / sqrt 2) } FACTOR, 1 / FACTOR;
	return (max(0, $rows * $low - SIGMAS * sqrt($rows * $low * (1 - $low))),
		$rows * $high + SIGMAS * sqrt($rows * $high * (1 - $high)));
}

my ($name, @runs) = @ARGV;
my @rows = map { compare($_) } @runs;
if ($ENV{VERBOSE}) {
	printf "# %-24s %8.2f %10.1f %10.1f %8.1f\n", @$_ for sort { abs $a->[1] <=> abs $b->[1] } @rows;
}
my (@wrong, @shares);
for my $errors (1, 2, 3) {
	my $beyond = grep { abs $_->[1] > $errors } @rows;
	my ($fewest, $most) = bounds(scalar @rows, $errors);
	push @shares, sprintf '%.1f %%', 100 * $beyond / (@rows || 1);
	push @wrong, 'too few lines to compare' if $errors == 2 && $fewest == 0;
	push @wrong, sprintf '%d are beyond %d errors, which is not from %.1f to %.1f', $beyond, $errors, $fewest, $most
		if $beyond < $fewest || $beyond > $most;
}
my $misplaced = sum0(map { abs($_->[2] - $_->[3]) / 2 } @rows) / (sum0(map { $_->[3] } @rows) || 1);
printf "%s errors of lines are right, %s: of %d lines %s beyond 1, 2 and 3, %.1f %% of samples on wrong lines%s\n",
	@wrong ? 'not ok' : 'ok', $name, scalar @rows, join(', ', @shares), 100 * $misplaced,
	@wrong ? ': ' . join('; ', @wrong) : '';
exit(@wrong ? 1 : 0);
