# SPDX-License-Identifier: MIT
# calls.pl CONSOLE JSON: compares the lines `calls NAME N` of a console with the arcs of a profile. Prints a summary, or
# the first differences, on one line.
use strict;
use warnings;
use JSON::PP;

my ($console, $json) = @ARGV;

open my $lines, '<', $console or die "$console: $!\n";
my %counted = map { /^calls (\w+) (\d+)\r?$/ ? ($1 => $2) : () } <$lines>;

open my $file, '<', $json or die "$json: $!\n";
my $profile = decode_json(join '', <$file>);

# A clone that the compiler made (f.isra.0) is the function that the source names.
my %profiled;
for my $arc (@{$profile->{arcs}}) {
	my ($name) = $profile->{functions}[$arc->{callee}]{name} =~ /^([^.]*)/;
	$profiled{$name} += $arc->{count};
}

my @differences = map { sprintf '%s %d, counted %d', $_, $profiled{$_} // 0, $counted{$_} }
	grep { ($profiled{$_} // 0) != $counted{$_} } sort keys %counted;
my $lost = $profile->{losses}{arcs_dropped};
my $calls = 0;
$calls += $_ for values %counted;

push @differences, "$lost calls dropped" if $lost;
push @differences, 'the firmware counted next to nothing' if keys %counted < 25 || $calls < 1000;
push @differences, "$_ was never called" for grep { !$counted{$_} } sort keys %counted;
if (@differences) {
	print join('; ', @differences), "\n";
	exit 1;
}
printf "%d functions, %d calls\n", scalar keys %counted, $calls;
