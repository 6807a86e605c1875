# SPDX-License-Identifier: MIT
# cores.pl CONSOLE CAPTURE SYMBOLS: compares the lines `calls CORE FUNCTION N` of a console with the blocks of a
# capture, one per core; SYMBOLS is the output of readelf -s. Calls must be equal; a function that only one core called
# must have samples in that core's block only. Prints a summary, or the differences, on one line.
use strict;
use warnings;
require './tests/emulated/blocks.pl';

my ($console, $capture, $symbols) = @ARGV;
my $counted = counted_calls($console);
my @blocks = blocks_of($capture, $symbols);
my (@differences, @summary);

push @differences, sprintf '%d blocks, not 2', scalar @blocks if @blocks != 2;
for my $i (0 .. $#blocks) {
	my $block = $blocks[$i];
	push @differences, "block $i is of core $block->{core}" if $block->{core} != $i;
	push @differences, losses_of($block);
	push @differences, differences_in("core $i", $block->{calls}{''}, $counted->{$i} // {});
	my ($calls, $samples) = (0, 0);
	$calls += $_ for values %{$counted->{$i}};
	for my $function (sort keys %{$block->{samples}}) {
		my $count = $block->{samples}{$function}{''};
		my $is_counted = exists $counted->{$i}{$function};
		push @differences, "$count samples of $function in core $i" if $is_counted && !$counted->{$i}{$function};
		$samples += $count if $is_counted;
	}
	push @differences, "too few calls or samples were counted on core $i" if $calls < 10000 || $samples < 50;
	push @summary, "core $i: $calls calls, $samples samples in them";
}
if (@differences) {
	print join('; ', @differences), "\n";
	exit 1;
}
print join('; ', @summary), "\n";
