# SPDX-License-Identifier: MIT
# inclusive.pl PROFILE COUNTS [sum=N] [FUNCTION]: compares the measured total times of `bareprof export json` with the instructions that the
# plugin tests/qemu/shadow.c counted below each function and along each arc. z is the difference in standard errors that the
# profile states; the mean of its square is 1 if these are right.
#
# sum is the percentage by which the time outside the recorder may be wrong (default 1).
# Prints `ok` or `not ok` for the time outside the recorder, for functions, for arcs, and for the share of FUNCTION. Functions of
# the compiler's library are left out, because they continue in each other without a call: a sample belongs to the function that
# contains it, but the plugin counts for the one that was called.
use strict;
use warnings;
use JSON::PP;
use List::Util qw(sum0);

use constant {
	NANOSECONDS_PER_INSTRUCTION => 32, # -icount shift=5
	MEAN_SQUARE_MAX => 2,
	ERRORS_MAX => 3,      # of FUNCTION, in standard errors: a point of all time is only two of them with 2,000 stacks
	SAMPLES_MIN => 10,    # a time of fewer is not judged: its distribution is far from a normal one
	COMPARED_MIN => 10,
	SHOWN => 4,
	LIBRARY => qr/^__(?:aeabi_|riscv_|[a-z]+[sd][fi](?:[sd][fi])?[2-4]?$)/,
};

my ($profile_path, $counts_path, @options) = @ARGV;
my %limit = (sum => 1, map { split /=/ } grep { /=/ } @options);
my ($wanted) = grep { !/=/ } @options;

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	return <$file>;
}

my $profile = decode_json(join '', lines_of($profile_path));
die "the profile has no measured times\n" if !$profile->{measured};

my (%self, %inclusive, %arc);
for (lines_of($counts_path)) {
	my @f = split;
	if ($f[0] eq 'function') {
		$self{hex $f[1]} += $f[3];
		$inclusive{hex $f[1]} += $f[4];
	} elsif ($f[0] eq 'arc') {
		$arc{hex($f[1]) . ' ' . hex($f[2])} += $f[3];
	}
}

# The recorder's functions are not measured, and the handler's instructions not counted.
my @functions = grep { $_->{kind} eq 'function' } @{$profile->{functions}};
my %address = map { $_->{id} => $_->{address} } @functions;
my $seconds = sum0(map { $_->{self} } @functions);
my $instructions = sum0(map { $self{$_->{address}} // 0 } @functions);
my $samples = sum0(map { $_->{self_samples} } @functions);
my $sample_time = $seconds / $samples;

my $failures = 0;
sub check {
	my ($holds, $what) = @_;
	print $holds ? 'ok ' : 'not ok ', $what, "\n";
	$failures++ if !$holds;
}

# judge(WHAT, [NAME, SECONDS, VARIANCE, INSTRUCTIONS]...)
sub judge {
	my ($what, @rows) = @_;
	my @z;

	for (@rows) {
		my ($name, $measured, $variance, $count) = @$_;
		my $true = $count / $instructions * $seconds;
		next if $true < SAMPLES_MIN * $sample_time;
		# Times that make up almost everything are known, except for a sample more or less.
		my $error = sqrt(($variance // 0) + $sample_time ** 2);
		push @z, [($measured - $true) / $error, $name, $measured / $seconds, $true / $seconds];
	}
	my $mean_square = sum0(map { $_->[0] ** 2 } @z) / (@z || 1);
	for ((sort { abs $b->[0] <=> abs $a->[0] } @z)[0 .. SHOWN - 1]) {
		printf "# %s: measured %.2f %%, true %.2f %%, z %.1f\n", $_->[1], 100 * $_->[2], 100 * $_->[3], $_->[0] if $_;
	}
	check(@z >= COMPARED_MIN && $mean_square <= MEAN_SQUARE_MAX,
		sprintf 'measured total times of %s are right (%d compared, mean square of z %.2f)', $what, scalar @z, $mean_square);
}

# The recorder's part of the time follows from the cost of some of the ticks.
my $true_seconds = $instructions * NANOSECONDS_PER_INSTRUCTION / 1e9;
my $off = $seconds / $true_seconds - 1;
check(abs $off <= $limit{sum} / 100, sprintf 'the time outside the recorder is right (%+.2f %% of %.3f s)', 100 * $off, $true_seconds);
my @judged = grep { $_->{name} !~ LIBRARY } @functions;
judge('functions', map { [$_->{name}, $_->{self} + $_->{children}, $_->{total_variance}, $inclusive{$_->{address}} // 0] } @judged);
my %name = map { $_->{id} => $_->{name} } @judged;
# Calls of a function by itself are part of its own total time.
judge('arcs', map { ["$name{$_->{caller}} -> $name{$_->{callee}}", $_->{self} + $_->{children}, $_->{variance},
		$arc{"$address{$_->{caller}} $address{$_->{callee}}"} // 0] }
	grep { defined $name{$_->{caller}} && defined $name{$_->{callee}} && $_->{on_stacks}
		&& $_->{caller} != $_->{callee} } @{$profile->{arcs}});
if (defined $wanted) {
	my ($found) = grep { $_->{name} eq $wanted } @functions;
	my $measured = ($found->{self} + $found->{children}) / $seconds;
	my $true = $inclusive{$found->{address}} / $instructions;
	my $error = sqrt($found->{total_variance}) / $seconds;

	check(abs($measured - $true) <= ERRORS_MAX * $error, sprintf 'the share of %s is right (%.1f %%, true %.1f %%)', $wanted,
		100 * $measured, 100 * $true);
}
exit($failures != 0);
