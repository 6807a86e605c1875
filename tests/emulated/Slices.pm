# SPDX-License-Identifier: MIT
# Slices of the blocks of a capture, read by the numbers of include/bareprof/block.h, for little-endian targets.
package Slices;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(blocks_with_slices chi_square functions_of_elf);

sub slurp {
	my ($path) = @_;
	open my $file, '<:raw', $path or die "$path: $!\n";
	local $/;
	return <$file>;
}

sub number_of {
	my ($text) = @_;
	return $text =~ /^0x/ ? hex $text : $text;
}

my %number = map { /^#define BAREPROF_(\w+) +(0x[0-9A-Fa-f]+|\d+)\b/ ? ($1 => number_of($2)) : () }
	split /\n/, slurp('include/bareprof/block.h');

# A hash: number, number_again, context, bytes, flags, entry, pc, lr, sp, fp and words.
sub slice_of {
	my ($bytes, $address_size) = @_;
	my $address = $address_size == 8 ? 'Q<' : 'V';
	my %slice;
	@slice{qw(number context bytes flags entry pc lr sp fp)} = unpack "VVvvV$address$address$address$address", $bytes;
	$slice{number_again} = unpack 'V', substr $bytes, -4;
	$slice{words} = [unpack "$address*", substr $bytes, 16 + 4 * $address_size, $slice{bytes}];
	return \%slice;
}

# One hash per block: ticks, room (bytes of stack in a slice), totals by name in lower case, and the slices that were ever
# written, which are whole.
sub blocks_with_slices {
	my ($bytes) = (slurp($_[0]));
	my @blocks;
	while (substr($bytes, 0, 8) eq 'BAREPROF') {
		my $block = substr $bytes, 0, unpack('V', substr $bytes, $number{OFFSET_BLOCK_SIZE}, 4), '';
		my $address_size = ord substr $block, $number{OFFSET_ADDRESS_SIZE}, 1;
		my %sections;
		for my $i (0 .. ord(substr $block, $number{OFFSET_DIRECTORY_COUNT}, 1) - 1) {
			my ($kind, undef, $size, $offset, $capacity) =
				unpack 'CCvVV', substr $block, $number{OFFSET_DIRECTORY} + $number{ENTRY_SIZE} * $i, $number{ENTRY_SIZE};
			$sections{$kind} = [map { substr $block, $offset + $size * $_, $size } 0 .. $capacity - 1];
		}
		my @totals = map { unpack 'V', $_ } @{$sections{$number{SECTION_STACK_TOTALS}}};
		my @items = @{$sections{$number{SECTION_SLICES}}};
		my %totals = map { lc, $totals[$number{"STACK_TOTAL_$_"}] } qw(OFFERED BAD TIMED COST);
		push @blocks, {%totals, ticks => unpack('V', substr $block, $number{OFFSET_TICKS}, 4), capacity => scalar @items,
			address_size => $address_size, room => length($items[0]) - 16 - 5 * $address_size,
			slices => [grep { $_->{number} } map { slice_of($_, $address_size) } @items]};
	}
	return @blocks;
}

# Pearson's chi square of numbers from 1 to $last in equal cells, and the two values that one in a thousand uniform samples
# falls below or exceeds (Wilson and Hilferty's approximation).
sub chi_square {
	my ($numbers, $last, $cells) = @_;
	my @count = (0) x $cells;
	$count[($_ - 1) * $cells / $last]++ for @$numbers;
	my $expected = @$numbers / $cells;
	my $sum = 0;
	$sum += ($_ - $expected) ** 2 / $expected for @count;
	my $freedom = $cells - 1;
	my @bounds = map { $freedom * (1 - 2 / (9 * $freedom) + $_ * sqrt(2 / (9 * $freedom))) ** 3 } -3.09, 3.09;
	return ($sum, @bounds);
}

# Addresses and sizes of functions, by name, from readelf -sW.
sub functions_of_elf {
	my %functions;
	for (split /\n/, slurp($_[0])) {
		my (undef, $value, $size, $type, undef, undef, undef, $name) = split;
		$functions{$name} = {start => hex($value) & ~1, end => (hex($value) & ~1) + $size}
			if defined $name && $type eq 'FUNC' && $size =~ /^\d+$/;
	}
	return \%functions;
}

1;
