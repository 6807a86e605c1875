# SPDX-License-Identifier: MIT
# between.pl BEFORE CAPTURE AFTER: whether a capture of a running target is what was in its memory between two dumps that
# begin with the block. What the recorder writes only grows, so each word has to lie between those of the dumps, and so
# have the ticks between which the capture says that it was read. Prints what is wrong.
use strict;
use warnings;
require './tests/target/blocks.pl';

# docs/FORMAT.md, section 9.
use constant {TRAILER => 'BPTRAILR', TAG_END => 0, TAG_SKEW => 3};

my ($before, $capture, $after) = map { slurp($_) } @ARGV;
# Sections 2 and 8: the sizes of the header and of the block. Two words of the header do not grow: the random number of the
# recorder, and the cost of a tick, a minimum, which is the last.
use constant RANDOM => 0x8C;
my ($header_size, $size) = unpack 'x14 v x8 V', $capture;
my %block = map { $_->[0] => decode_block(substr($_->[1], 0, $size), []) }
	(['before', $before], ['read', $capture], ['after', $after]);

# Of the only block of the file.
sub skew_of {
	my ($trailer) = @_;
	die "the capture has no trailer\n" if substr($trailer, 0, 8, '') ne TRAILER;
	while (length $trailer) {
		my ($tag, $length) = unpack 'v x2 V', substr $trailer, 0, 8, '';
		my $payload = substr $trailer, 0, $length, '';
		return (unpack 'V3', $payload)[1, 2] if $tag == TAG_SKEW;
	}
	die "the capture does not say between which ticks it was read\n";
}

my ($ticks_before, $ticks_after) = skew_of(substr $capture, $size);
my @wrong;
for my $offset (grep { $_ != RANDOM && $_ != $header_size - 4 } map { 4 * $_ } 0 .. $size / 4 - 1) {
	my ($low, $word, $high) = map { unpack 'V', substr $_, $offset, 4 } $before, $capture, $after;
	push @wrong, sprintf 'the word at 0x%x is 0x%x, not between 0x%x and 0x%x', $offset, $word, $low, $high
		if $word < $low || $word > $high;
}
my @ticks = ($block{before}{ticks}, $ticks_before, $ticks_after, $block{after}{ticks});
push @wrong, "ticks before, at the start, at the end and after are @ticks" if "@ticks" ne join ' ', sort { $a <=> $b } @ticks;
push @wrong, "the header has $block{read}{ticks} ticks, the trailer says $ticks_before" if $block{read}{ticks} != $ticks_before;
my $samples = $block{read}{filed} + $block{read}{outside};
# One tick may be counted and its sample not yet be filed.
push @wrong, "$samples samples in ticks $ticks_before to $ticks_after"
	if $samples < $ticks_before - 1 || $samples > $ticks_after;
print map { "$_\n" } @wrong[0 .. ($#wrong < 9 ? $#wrong : 9)];
exit(@wrong > 0);
