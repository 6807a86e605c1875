# SPDX-License-Identifier: MIT
# scheduler.pl RUN: compares the profile of tests/firmware/scheduler with the firmware's own counts and the instructions
# executed. RUN.json is the profile, RUN.console has lines `calls CONTEXT FUNCTION N` and `switches CONTEXT N`,
# RUN.counts is the plugin's file, RUN.symbols the output of readelf -s. Prints a summary, or the differences, on one line.
use strict;
use warnings;
use JSON::PP;
use lib 'tests/emulated';
use Executed qw(sample_time_of);
require './tests/emulated/blocks.pl';

use constant SIGMAS => 3;
use constant TASKS => qw(control_task logger_task idle_task);
# The functions that only tasks call, except `compress`, which the interrupt calls as well.
use constant OF_TASKS => (TASKS, qw(control_round logger_round filter check scheduler_sleep));

my ($run) = @ARGV;
my $profile = decode_json(slurp("$run.json"));
my $counted = counted_calls("$run.console");
my $symbols = functions_of("$run.symbols");
my @functions = @{$profile->{functions}};
my @differences;

# The compiler's clone of a function (f.isra.0) counts as that function.
sub source_name { return $_[0] =~ /^([^.]*)/ ? $1 : '' }
$_->{source} = source_name($_->{name}) for @functions;

# --- Calls and switches, by context.

for my $context (@{$profile->{contexts}}) {
	my %calls;
	for my $function (@{$context->{functions}}) {
		my $name = $functions[$function->{id}]{source} // '';
		my $calls = $function->{calls} + $function->{self_calls};
		$calls{$name} += $calls if $calls && exists $counted->{main}{$name};
	}
	push @differences, differences_in($context->{name}, \%calls, $counted->{$context->{name}} // {});
}
push @differences, differences_in_switches($profile, "$run.console");
my @contexts = sort map { $_->{name} } @{$profile->{contexts}};
push @differences, "the contexts are @contexts" if "@contexts" !~ /^(?: ?)(control idle interrupt logger)( main)?$/;

# --- Callers.

sub start_of {
	my ($name) = @_;
	my ($found) = grep { $_->[2] eq $name } @$symbols;
	return $found ? $found->[0] : die "no function $name\n";
}

# This is why the test exists: the address before the handler is in port_prepare.
my ($before) = functions_between($symbols, start_of('port_task_exit') - 1, start_of('port_task_exit'));
push @differences, 'port_prepare does not precede port_task_exit' if ($before // '') ne 'port_prepare';

my %callers;
push @{$callers{$functions[$_->{callee}]{source}}}, $_ for @{$profile->{arcs}};
for my $task (TASKS) {
	my @arcs = @{$callers{$task} // []};
	my $seen = join ', ', map { "$functions[$_->{caller}]{name} $_->{count} times" } @arcs;
	push @differences, "$task is called by $seen" if $seen ne '<task entry> 1 times';
}
for my $arc (@{$profile->{arcs}}) {
	my ($caller, $callee) = map { $functions[$arc->{$_}] } qw(caller callee);
	my $is_task = grep { $callee->{source} eq $_ } TASKS;
	push @differences, "$caller->{name} calls $callee->{name}"
		if ($caller->{kind} !~ /^(function|exception)$/ && !$is_task) || $caller->{source} eq 'port_prepare';
}

# --- Total times.

my (%instructions, $all);
for (split /\n/, slurp("$run.counts")) {
	my ($address, $count) = split;
	my ($name) = functions_between($symbols, hex $address, 1 + hex $address);
	$instructions{$name // ''} += $count;
	$all += $count;
}
my $sample_time = sample_time_of($profile);

# The share of the instructions against the share of the samples; the sampling interrupt is in neither.
sub is_sampling { return $_[0] =~ /sampl|wait_for_nearest|read_mtime|write_mtimecmp|trap_vectors|external_interrupt/ }
$all -= $instructions{$_} for grep { is_sampling($_) || /^bareprof_|mcount/ } keys %instructions;
my $samples = 0;
$samples += $_->{self_samples} for grep { $_->{kind} ne 'bareprof' && !is_sampling($_->{name}) } @functions;

sub of {
	my $sum = 0;
	$sum += $instructions{$_} // 0 for @_;
	return $sum;
}

sub judge_total {
	my ($name, $truth) = @_;
	my ($function) = grep { $_->{source} eq $name || $_->{name} eq $name } @functions;
	my $seen = $function ? ($function->{self} + $function->{children}) / $sample_time : 0;
	my $expected = $samples * $truth / $all;
	# The profile states how uncertain the attribution of a shared granule is.
	my $doubt = $function ? $function->{total_variance} / $sample_time ** 2 : 0;
	my $sigma = sqrt($expected * (1 - $expected / $samples) + $doubt) || 1;
	push @differences, sprintf '%s has %.1f samples in all, expected %.1f +- %.1f', $name, $seen, $expected, $sigma
		if abs($seen - $expected) > SIGMAS * $sigma;
	return sprintf '%s %.0f of %.0f', $name, $seen, $expected;
}

my $calls_of_compress = $counted->{logger}{compress} + $counted->{interrupt}{compress};
my $of_tasks = $instructions{compress} * $counted->{logger}{compress} / $calls_of_compress;
$of_tasks += of(OF_TASKS);
my @judged = (judge_total('<task entry>', $of_tasks), judge_total('scheduler_start', of(qw(scheduler_start port_prepare))),
	judge_total('main', of(qw(main scheduler_start port_prepare))));

push @differences, 'too few samples were taken' if $samples < 3000 || $of_tasks < $all / 4;
push @differences, 'too few calls were counted' if keys %{$counted->{main}} < 9 || $calls_of_compress < 10000;
if (@differences) {
	print join('; ', @differences), "\n";
	exit 1;
}
printf "%d calls of compress; samples of %s\n", $calls_of_compress, join ', ', @judged;
