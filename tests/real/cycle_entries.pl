# SPDX-License-Identifier: MIT
# cycle_entries.pl PROFILE COUNTS: compares the times of calls that enter a cycle, as reports estimate them from numbers of calls,
# with the instructions that were executed below these calls. PROFILE is `bareprof export json` of a program with -pg. COUNTS was
# written by tests/qemu/shadow.c for the same program without -pg, so functions are compared by their names.
# Prints the mean absolute error, in points of the time outside the recorder, of the estimate and of GNU gprof's rule, which gives
# each call that enters a cycle the same part of its time.
use strict;
use warnings;
use JSON::PP;
use List::Util qw(sum0);

use constant {
	POINTS_MIN => 0.05, # calls with less time are left out, in the profile and in the counts
	WORSE_MAX => 3, # points of the mean error, by which the estimate may be worse than gprof's rule
	SHOWN => 4,
};

my ($profile_path, $counts_path) = @ARGV;

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	return <$file>;
}

my $profile = decode_json(join '', lines_of($profile_path));
my @functions = grep { $_->{kind} eq 'function' } @{$profile->{functions}};
my %function = map { $_->{id} => $_ } @functions;
my $seconds = sum0(map { $_->{self} } @functions);

my (%name, %seen, %true);
my $instructions = 0;
for (lines_of($counts_path)) {
	my ($kind, @f) = split;
	if ($kind eq 'function') {
		$name{$f[0]} = $f[1];
		$instructions += $f[2];
	}
}
for (lines_of($counts_path)) {
	my ($kind, $caller, $callee, $count) = split;
	$true{"$name{$caller} -> $name{$callee}"} += $count if $kind eq 'arc' && exists $name{$caller} && exists $name{$callee};
}

# --- The calls that enter a cycle, of functions whose names are unique.
my %cycle = map { $_->{cycle} => $_ } @{$profile->{cycles}};
my @rows;
$seen{$_->{name}}++ for @functions;
for my $arc (@{$profile->{arcs}}) {
	my ($caller, $callee) = map { $function{$_ // ''} } $arc->{caller}, $arc->{callee};
	next if !$caller || !$callee || !$callee->{cycle} || ($caller->{cycle} // 0) == $callee->{cycle};
	my $name = "$caller->{name} -> $callee->{name}";
	next if !exists $true{$name} || $seen{$caller->{name}} > 1 || $seen{$callee->{name}} > 1;
	my $cycle = $cycle{$callee->{cycle}};
	push @rows, [$name, map { 100 * $_ } $true{$name} / $instructions, ($arc->{self} + $arc->{children}) / $seconds,
		($cycle->{self} + $cycle->{children}) * $arc->{count} / $cycle->{calls} / $seconds];
}
@rows = grep { $_->[1] >= POINTS_MIN || $_->[2] >= POINTS_MIN } @rows;

sub error_of {
	my ($column, @rows) = @_;
	return sum0(map { abs $_->[$column] - $_->[1] } @rows) / (@rows || 1);
}
for ((sort { abs $b->[2] - $b->[1] <=> abs $a->[2] - $a->[1] } @rows)[0 .. SHOWN - 1]) {
	printf "# %s: %.2f %%, true %.2f %%, by gprof's rule %.2f %%\n", $_->[0], @$_[2, 1, 3] if $_;
}
my ($error, $gprof) = map { error_of($_, @rows) } 2, 3;
my $holds = @rows && $error <= $gprof + WORSE_MAX;
printf "%s calls into cycles have times about as good as by gprof's rule (%d calls into %d cycles, mean absolute error %.2f points, by gprof's rule %.2f)\n",
	$holds ? 'ok' : 'not ok', scalar @rows, scalar keys %cycle, $error, $gprof;
exit !$holds;
