# SPDX-License-Identifier: MIT
# rtos.pl RUN: compares the calls and switches of each context in RUN.json, the exported profile of tests/firmware/rtos,
# with the lines `calls CONTEXT FUNCTION N` and `switches CONTEXT N` of RUN.console. The tasks without a context must be
# in the context <other tasks>, and RUN.report must recommend as many contexts as the firmware has. Prints a
# summary, or the differences, on one line.
use strict;
use warnings;
use JSON::PP;
use List::Util qw(sum0);
require './tests/emulated/blocks.pl';

use constant OTHERS => '<other tasks>';

my ($run) = @ARGV;
my $profile = decode_json(slurp("$run.json"));
my $report = slurp("$run.report");
my $counted = counted_calls("$run.console");
my %switches = slurp("$run.console") =~ /^switches (\w+) (\d+)\r?$/mg;
my %contexts = map { $_->{name} => $_ } @{$profile->{contexts}};
my @refused = grep { !exists $contexts{$_} && sum0(values %{$counted->{$_}}) > 0 } sort keys %$counted;
my @differences;

# The sums of tasks that share a context.
sub sum_of {
	my %sum;
	for my $task (@_) {
		$sum{$_} += $counted->{$task}{$_} for keys %{$counted->{$task}};
	}
	return \%sum;
}

for my $name (sort keys %contexts) {
	my $truth = $name eq OTHERS ? sum_of(@refused) : $counted->{$name} // {};
	my %calls;
	for my $function (@{$contexts{$name}{functions}}) {
		my ($source) = $profile->{functions}[$function->{id}]{name} =~ /^([^.]*)/;
		my $calls = $function->{calls} + $function->{self_calls};
		$calls{$source} += $calls if $calls && exists $counted->{main}{$source};
	}
	push @differences, differences_in($name, \%calls, $truth);
	next if $name eq '' || $name eq OTHERS;
	push @differences, "$contexts{$name}{switches} switches to $name, counted $switches{$name}"
		if $contexts{$name}{switches} != $switches{$name};
}

my $count = keys %$counted;
push @differences, 'each task has a context' if $run =~ /rtos_few/ && !@refused;
if (@refused) {
	my $others = $contexts{+OTHERS}{switches};
	my $all = sum0(@switches{@refused});
	# A change from one refused task to another does not count.
	push @differences, "$others switches to other tasks, of $all" if $others < $all / 4 || $others > $all;
	push @differences, "the report does not recommend $count contexts"
		if $report !~ /at least ${\scalar @refused} more tasks ran.*BAREPROF_CONTEXTS as $count or more$/m;
} else {
	push @differences, 'the report has tasks without a context' if exists $contexts{+OTHERS} || $report =~ /more tasks ran/;
	my @quiet = grep { $_ ne 'main' && $switches{$_} < 100 } sort keys %switches;
	push @differences, "few switches to @quiet" if @quiet;
}
push @differences, 'samples are missing' if sum0(map { $_->{total_samples} } values %contexts) < 3000;
if (@differences) {
	print join('; ', @differences), "\n";
	exit 1;
}
printf "%d contexts, %d tasks without one\n", scalar keys %contexts, scalar @refused;
