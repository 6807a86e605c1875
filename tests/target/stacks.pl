# SPDX-License-Identifier: MIT
# stacks.pl CAPTURE SYMBOLS: checks the slices of the demo, block by block: each is complete and holds a return address into
# main(), and the kept ticks are a uniform sample of all. Prints a summary, or what is wrong, on one line.
use strict;
use warnings;
use lib 'tests/target';
use Slices;

my ($capture, $symbols) = @ARGV;
my $main = functions_of_elf($symbols)->{main};
my (@wrong, @summary);

sub is_in_main {
	return $_[0] >= $main->{start} && $_[0] <= $main->{end};
}

for my $block (blocks_with_slices($capture)) {
	my @slices = @{$block->{slices}};
	my %numbers = map { $_->{number} => 1 } @slices;
	my $whole = 0;

	push @wrong, "$block->{offered} of $block->{ticks} ticks offered a slice" if $block->{offered} != $block->{ticks};
	push @wrong, scalar(@slices) . " slices of $block->{capacity}" if @slices != $block->{capacity};
	push @wrong, 'a tick was kept twice' if keys %numbers != @slices;
	push @wrong, "$block->{bad} bad stack pointers" if $block->{bad};
	push @wrong, 'no tick was timed' if !$block->{timed} || !$block->{cost};
	for my $slice (@slices) {
		my $title = "slice of tick $slice->{number}";
		push @wrong, "$title is torn" if $slice->{number} != $slice->{number_again};
		push @wrong, "$title: no such tick" if $slice->{number} > $block->{offered};
		push @wrong, "$title has $slice->{bytes} bytes and flags $slice->{flags}"
			if $slice->{flags} & ~2 || (!$slice->{flags} && $slice->{bytes} != $block->{room});
		next if !$slice->{flags};
		$whole++;
		push @wrong, sprintf '%s: main() is not on the stack, pc 0x%x, sp 0x%x', $title, $slice->{pc}, $slice->{sp}
			if !grep { is_in_main($_) } $slice->{pc}, $slice->{lr}, @{$slice->{words}};
	}
	push @wrong, "only $whole stacks are whole" if $whole < @slices / 3;
	my ($chi_square, $low, $high) = chi_square([keys %numbers], $block->{offered}, $block->{capacity} < 64 ? 2 : 8);
	push @wrong, sprintf 'chi square of ticks %.1f, not %.2f to %.1f', $chi_square, $low, $high
		if $chi_square < $low || $chi_square > $high;
	push @summary, sprintf '%d ticks, %d slices, %d whole, chi square %.1f', $block->{ticks}, scalar @slices, $whole, $chi_square;
}
print join('; ', @wrong ? @wrong : @summary), "\n";
exit(@wrong || !@summary);
