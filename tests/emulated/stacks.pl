# SPDX-License-Identifier: MIT
# stacks.pl CAPTURE SYMBOLS: checks the slices of a firmware, block by block: each is complete; whole ones hold a return
# address into main() or another outermost function, and so do most others; the kept ticks are a uniform sample of all; and
# contexts have as many slices as samples. Prints a summary, or the errors, on one line.
use strict;
use warnings;
use lib 'tests/emulated';
use Slices;

my ($capture, $symbols) = @ARGV;
require './tests/emulated/blocks.pl';
my $functions = functions_of_elf($symbols);
my @outermost = grep { defined } @$functions{qw(main second_main first_task second_task work_interrupt)};
my @counted = blocks_of($capture, $symbols);
my (@wrong, @summary);

sub is_outermost {
	my ($address) = @_;
	return grep { $address >= $_->{start} && $address <= $_->{end} } @outermost;
}

# Errors in the number of slices of each context that has samples.
sub context_errors {
	my ($block, $slices) = @_;
	my (%samples, %slices);
	for my $by_context (values %{$block->{samples}}) {
		$samples{$_} += $by_context->{$_} for keys %$by_context;
	}
	my $all = 0;
	$all += $_ for values %samples;
	$slices{$block->{contexts}[$_->{context}] // 'unknown'}++ for @$slices;
	return map {
		my $share = ($samples{$_} // 0) / $all;
		my $expected = @$slices * $share;
		my $error = sqrt(@$slices * $share * (1 - $share)) + 1;
		abs(($slices{$_} // 0) - $expected) > 5 * $error ? sprintf '%d slices of context %s, expected %.0f', $slices{$_} // 0, $_, $expected : ();
	} sort keys %{{%samples, %slices}};
}

# With several cores QEMU runs in real time, and a tick that a busy computer makes late is not timed.
my $timed_of = @counted > 1 ? 1024 : 128;

for my $block (blocks_with_slices($capture)) {
	my @slices = @{$block->{slices}};
	my %numbers = map { $_->{number} => 1 } @slices;
	my ($whole, $reached) = (0, 0);

	push @wrong, "$block->{offered} of $block->{ticks} ticks offered a slice" if $block->{offered} != $block->{ticks};
	push @wrong, scalar(@slices) . " slices of $block->{capacity}" if @slices != $block->{capacity};
	push @wrong, 'a tick was kept twice' if keys %numbers != @slices;
	push @wrong, "$block->{bad} bad stack pointers" if $block->{bad};
	push @wrong, "$block->{timed} of $block->{ticks} ticks were timed"
		if $block->{timed} > $block->{ticks} / 64 + 1 || $block->{timed} < $block->{ticks} / $timed_of;
	push @wrong, "they cost $block->{cost}" if $block->{cost} < $block->{timed};
	for my $slice (@slices) {
		my $title = "slice of tick $slice->{number}";
		push @wrong, "$title is torn" if $slice->{number} != $slice->{number_again};
		push @wrong, "$title: no such tick" if $slice->{number} > $block->{offered};
		push @wrong, "$title has $slice->{bytes} bytes and flags $slice->{flags}"
			if $slice->{flags} & ~2 || (!$slice->{flags} && $slice->{bytes} != $block->{room});
		my $reaches = grep { is_outermost($_) } $slice->{pc}, $slice->{lr}, @{$slice->{words}};
		$reached++ if $reaches;
		next if !$slice->{flags};
		$whole++;
		push @wrong, sprintf '%s: no outermost function is on the stack, pc 0x%x, sp 0x%x', $title, $slice->{pc}, $slice->{sp}
			if !$reaches;
	}
	my $block_counts = shift @counted;
	push @wrong, @{$block_counts->{contexts}} ? context_errors($block_counts, \@slices) :
		map { "slice of tick $_->{number} has a context" } grep { $_->{context} != 0xFFFFFFFF } @slices;
	push @wrong, "only $reached stacks reach an outermost function" if $reached < @slices * 2 / 3;
	my ($chi_square, $low, $high) = chi_square([keys %numbers], $block->{offered}, $block->{capacity} < 64 ? 2 : 8);
	push @wrong, sprintf 'chi square of ticks %.1f, not %.2f to %.1f', $chi_square, $low, $high
		if $chi_square < $low || $chi_square > $high;
	push @summary, sprintf '%d ticks, %d slices, %d whole, chi square %.1f', $block->{ticks}, scalar @slices, $whole, $chi_square;
}
print join('; ', @wrong ? @wrong : @summary), "\n";
exit(@wrong || !@summary);
