# SPDX-License-Identifier: MIT
# contexts.pl CONSOLE CAPTURE SYMBOLS JSON: compares the lines `calls CONTEXT FUNCTION N` and `switches CONTEXT N` of a
# console with the arcs and samples of a block and with the calls and switches of each context in JSON, the exported
# profile; SYMBOLS is the output of readelf -s. Calls and switches must be equal. Samples of a function that only one
# context called must be in that context, and samples of one that all called must be shared like its calls, within three
# sigma. Prints a summary, or the differences, on one line.
use strict;
use warnings;
use JSON::PP;
require './tests/emulated/blocks.pl';

use constant SIGMAS => 3;
# Called by all, the same instructions each time.
use constant SHARED => 'mix';
use constant NAMES => 'main first second interrupt';

my ($console, $capture, $symbols, $json) = @ARGV;
my $counted = counted_calls($console);
my ($block) = blocks_of($capture, $symbols);
my ($calls, $samples) = @$block{qw(calls samples)};

my %owners;
for my $context (keys %$counted) {
	$owners{$_}{$context} = 1 for grep { $counted->{$context}{$_} } keys %{$counted->{$context}};
}

my @differences = losses_of($block);
push @differences, differences_in($_, $calls->{$_} // {}, $counted->{$_} // {}) for split ' ', NAMES;

my $profile = decode_json(slurp($json));
for my $context (@{$profile->{contexts}}) {
	my %exported;
	for my $function (@{$context->{functions}}) {
		my ($name) = $profile->{functions}[$function->{id}]{name} =~ /^([^.]*)/;
		my $calls = $function->{calls} + $function->{self_calls};
		$exported{$name} += $calls if $calls;
	}
	push @differences, differences_in("exported $context->{name}", \%exported, $counted->{$context->{name}} // {});
}
push @differences, differences_in_switches($profile, $console);
push @differences, 'not three contexts are exported' if grep({ $_->{name} ne 'main' } @{$profile->{contexts}}) != 3;

my $exclusive = 0;
for my $function (grep { keys %{$owners{$_}} == 1 } sort keys %owners) {
	for my $context (sort keys %{$samples->{$function}}) {
		my $count = $samples->{$function}{$context};
		push @differences, "$count samples of $function in $context" unless $owners{$function}{$context};
		$exclusive += $count;
	}
}

my ($all, $all_calls) = (0, 0);
$all += $_ for values %{$samples->{+SHARED}};
$all_calls += $_->{+SHARED} for values %$counted;
my @shares;
for my $context (sort keys %{$owners{+SHARED}}) {
	my $share = $counted->{$context}{+SHARED} / $all_calls;
	my ($is, $expected) = ($samples->{+SHARED}{$context} // 0, $all * $share);
	my $off = abs($is - $expected) / (sqrt($all * $share * (1 - $share)) || 1);
	push @shares, sprintf '%s %d expected %.0f', $context, $is, $expected;
	push @differences, sprintf '%s of %s, %.1f sigma off', SHARED, $shares[-1], $off if $off > SIGMAS;
}
push @differences, "the contexts are @{$block->{contexts}}" if "@{$block->{contexts}}" ne NAMES;
push @differences, 'too few calls or samples were counted' if @shares != 3 || $all_calls < 10000 || $exclusive < 300 || $all < 1000;
if (@differences) {
	print join('; ', @differences), "\n";
	exit 1;
}
printf "%d calls of %s; samples of %s\n", $all_calls, SHARED, join ', ', @shares;
