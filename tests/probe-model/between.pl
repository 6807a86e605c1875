# SPDX-License-Identifier: MIT
# between.pl BEFORE CAPTURE AFTER: whether a capture of a running target was read between two dumps of its memory, which begin
# with the block. The recorder's words only grow, so each word of the capture must be between those of the dumps, and so
# must the ticks that the capture states for its read. Prints deviations.
use strict;
use warnings;
require './tests/emulated/blocks.pl';

# docs/FORMAT.md, section 9.
use constant {TRAILER => 'BPTRAILR', TAG_END => 0, TAG_SKEW => 3};

my ($before, $capture, $after) = map { slurp($_) } @ARGV;
# Sections 2 and 8: the sizes of header and block. Two words of the header do not grow: the random state of the recorder, and
# the last, the cost of a tick, which is a minimum.
use constant RANDOM => 0x8C;
my ($header_size, $size) = unpack 'x14 v x8 V', $capture;
my %block = map { $_->[0] => decode_block(substr($_->[1], 0, $size), []) }
	(['before', $before], ['read', $capture], ['after', $after]);

# Returns the ticks of the only block in the trailer.
sub skew_of {
	my ($trailer) = @_;
	die "the capture has no trailer\n" if substr($trailer, 0, 8, '') ne TRAILER;
	while (length $trailer) {
		my ($tag, $length) = unpack 'v x2 V', substr $trailer, 0, 8, '';
		my $payload = substr $trailer, 0, $length, '';
		return (unpack 'V3', $payload)[1, 2] if $tag == TAG_SKEW;
	}
	die "the trailer lacks the ticks of the read\n";
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
# A tick may be counted before its sample is filed, also when a warm reset comes in between.
push @wrong, "$samples samples in ticks $ticks_before to $ticks_after, $block{read}{resets} resets"
	if $samples < $ticks_before - 1 - $block{read}{resets} || $samples > $ticks_after;
print map { "$_\n" } @wrong[0 .. ($#wrong < 9 ? $#wrong : 9)];
exit(@wrong > 0);
