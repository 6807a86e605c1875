# SPDX-License-Identifier: MIT
# context_totals.pl CONSOLE JSON COUNTS SYMBOLS: compares the times that callers in several contexts have from their callees
# with the instructions that were executed there. JSON is the exported profile, COUNTS the file of tests/qemu/count.c,
# SYMBOLS the output of readelf -s, CONSOLE has the lines `calls CONTEXT FUNCTION N`. In each context the callers of a
# function should have the share of its samples that its instructions there have of all its instructions, within three
# sigma. Callers in all contexts together should have every sample. Prints a summary, or the differences, on one line.
use strict;
use warnings;
use JSON::PP;
use lib 'tests/emulated';
use Executed qw(sample_time_of);
require './tests/emulated/blocks.pl';

# The interrupt lacks some samples whenever it waited for the sampling interrupt (docs/PORTING.md, "What samples cannot see"):
# 0.3 % of those compared here, which is half a sigma of one run.
use constant SIGMAS => 3;
use constant ROUNDING => 1e-6; # of times in JSON
# The function that calls the worker functions, once for each piece of work of its context, and the function that it may
# pass them on to by a tail call.
my %caller_of = (first => 'first_round', second => 'second_round', interrupt => 'serve');
my %root_of = (first => 'first_task', second => 'second_task', interrupt => 'work_interrupt');
my @workers = qw(mix twist descend);

my ($console, $json, $counts, $symbols) = @ARGV;
my $calls = counted_calls($console);
my $profile = decode_json(slurp($json));
my $sample_time = sample_time_of($profile);
my @names = map { $_->{name} =~ /^([^.]*)/ } @{$profile->{functions}};
my (%self, %handed);
$self{$names[$_->{id}]} += $_->{self_samples} for @{$profile->{functions}};
for my $arc (@{$profile->{arcs}}) {
	my ($caller, $callee) = map { $names[$_] } @$arc{qw(caller callee)};
	$handed{$caller} += ($arc->{self} + $arc->{children}) / $sample_time if grep { $_ eq $callee } @workers;
}

# The instructions of a function in a context. Instructions that each call executes were executed once per call. The
# others, in descend(), belong to the recursion: each call executes them, except for the innermost one of each call by
# the caller.
sub instructions_in {
	my ($callee, $context, $executed) = @_;
	my ($all, $own) = (0, $calls->{$context}{$callee});
	$all += $calls->{$_}{$callee} for keys %caller_of;
	my $innermost = $callee eq 'descend' ? $calls->{$context}{$caller_of{$context}} : 0;
	my $all_innermost = 0;
	$all_innermost += $calls->{$_}{$caller_of{$_}} for $callee eq 'descend' ? keys %caller_of : ();
	my $sum = 0;
	for my $count (@$executed) {
		# A loop executes its instructions a whole number of times in each call.
		my $is_recursion = abs($count - ($all - $all_innermost)) < abs($count - $all);
		$sum += $is_recursion ? $count * ($own - $innermost) / ($all - $all_innermost) : $count * $own / $all;
	}
	return $sum;
}

my %executed;
my $functions = functions_of($symbols);
for (split /\n/, slurp($counts)) {
	my ($address, $count) = split;
	my ($name) = functions_between($functions, hex $address, 1 + hex $address);
	push @{$executed{$name}}, $count if defined $name;
}

my (@differences, @summary);
my ($all_handed, $all_self) = (0, 0);
$all_self += $self{$_} for @workers;
for my $context (sort keys %caller_of) {
	my $handed = ($handed{$caller_of{$context}} // 0) + ($handed{$root_of{$context}} // 0);
	$all_handed += $handed;
	my ($expected, $variance) = (0, 0);
	for my $callee (@workers) {
		my ($own, $all) = (instructions_in($callee, $context, $executed{$callee}), 0);
		$all += instructions_in($callee, $_, $executed{$callee}) for keys %caller_of;
		$expected += $self{$callee} * $own / $all;
		$variance += $self{$callee} * $own / $all * (1 - $own / $all);
	}
	my $off = abs($handed - $expected) / sqrt($variance);
	push @summary, sprintf '%s %.0f expected %.0f +- %.0f', $context, $handed, $expected, sqrt $variance;
	push @differences, "$summary[-1], " . sprintf('%.1f sigma off', $off) if $off > SIGMAS;
}
push @differences, sprintf 'callers have %.4f of %d samples', $all_handed, $all_self
	if abs($all_handed - $all_self) > ROUNDING * $all_self;
print join('; ', @differences ? @differences : @summary), "\n";
exit(@differences ? 1 : 0);
