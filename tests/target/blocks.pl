# SPDX-License-Identifier: MIT
# What tests need of the blocks of a capture, for the tests of contexts and cores: decoded by the offsets of
# include/bareprof/block.h, for little-endian targets whose addresses are below 4 GB. To be required by their scripts.
use strict;
use warnings;

use constant { ARCS => 3, GRANULES => 4, COARSE => 5, CONTEXTS => 6 };
use constant ARC_HAS_CONTEXT => 2;

sub slurp {
	my ($path) = @_;
	open my $file, '<:raw', $path or die "$path: $!\n";
	local $/;
	return <$file>;
}

# Of the lines `calls WHO FUNCTION N` of a console: N by who and function.
sub counted_calls {
	my ($console) = @_;
	my %counted;
	for (split /\r?\n/, slurp($console)) {
		$counted{$1}{$2} = $3 if /^calls (\w+) (\w+) (\d+)$/;
	}
	return \%counted;
}

# Functions of what readelf -s printed, as [start, size, name]. A clone that the compiler made (f.isra.0) is the function
# that the source names.
sub functions_of {
	my ($symbols) = @_;
	my @functions;
	for (split /\n/, slurp($symbols)) {
		my (undef, $value, $size, $type, undef, undef, undef, $name) = split;
		next unless defined $name && $type eq 'FUNC';
		push @functions, [hex($value) & ~1, $size =~ /^0x/ ? hex $size : $size, $name =~ /^([^.]*)/];
	}
	return \@functions;
}

sub functions_between {
	my ($functions, $low, $high) = @_;
	return map { $_->[2] } grep { $_->[0] < $high && $low < $_->[0] + $_->[1] } @$functions;
}

sub decode_block {
	my ($bytes, $functions) = @_;
	my $word = sub { return unpack 'V', substr $bytes, $_[0], 4 };
	my $address_size = ord substr $bytes, 0x0c, 1;
	my %sections = map {
		my ($kind, $parameter, $size, $offset, $capacity) = unpack 'CCvVV', substr $bytes, 0x90 + 16 * $_, 16;
		$kind => {parameter => $parameter, items => [map { $offset + $size * $_ } 0 .. $capacity - 1]};
	} 0 .. ord(substr $bytes, 0x0d, 1) - 1;
	my $has_contexts = $sections{+ARCS}{parameter} & ARC_HAS_CONTEXT;
	my %block = (ticks => $word->(0x40), outside => $word->(0x48), table_full => $word->(0x4c),
		dropped => $word->(0x50), core => ord(substr $bytes, 0x5a, 1), calls => {}, samples => {}, filed => 0);
	$block{contexts} = [map { unpack 'Z16', substr $bytes, $_, 16 } @{$sections{+CONTEXTS}{items} // []}];
	my $context = sub { return $has_contexts ? $block{contexts}[$word->($_[0])] // 'unknown' : '' };

	for my $slot (@{$sections{+ARCS}{items}}) {
		my $count = $word->($slot + 2 * $address_size) or next;
		my $callee = $word->($slot + $address_size) & ~1;
		my ($name) = functions_between($functions, $callee, $callee + 1);
		$block{calls}{$context->($slot + 2 * $address_size + 4)}{$name // 'unknown'} += $count;
	}
	my $granule = 1 << $sections{+GRANULES}{parameter};
	for my $slot (@{$sections{+GRANULES}{items}}) {
		my $count = $word->($slot + $address_size) or next;
		my $low = $word->($slot) * $granule;
		# A granule that two functions share tells of neither.
		my @names = functions_between($functions, $low, $low + $granule);
		$block{samples}{$names[0]}{$context->($slot + $address_size + 4)} += $count if @names == 1;
		$block{filed} += $count;
	}
	$block{filed} += $word->($_) for @{$sections{+COARSE}{items}};
	return \%block;
}

# Each is a hash: core, ticks, outside, table_full, dropped, filed; contexts, their names; calls by context and function;
# samples by function and context. Where there are no contexts, the context is ''.
sub blocks_of {
	my ($capture, $symbols) = @_;
	my $bytes = slurp($capture);
	my $functions = functions_of($symbols);
	my @blocks;
	while (substr($bytes, 0, 8) eq 'BAREPROF') {
		my $size = unpack 'V', substr $bytes, 0x18, 4;
		push @blocks, decode_block(substr($bytes, 0, $size), $functions);
		substr $bytes, 0, $size, '';
	}
	return @blocks;
}

# What is wrong with the calls of one context of a block, and with what it lost.
sub differences_in {
	my ($title, $calls, $counted) = @_;
	my %seen = (%$calls, %$counted);
	return map { sprintf '%s in %s %d, counted %d', $_, $title, $calls->{$_} // 0, $counted->{$_} // 0 }
		grep { ($calls->{$_} // 0) != ($counted->{$_} // 0) } sort keys %seen;
}

sub losses_of {
	my ($block) = @_;
	my @losses;
	push @losses, "$block->{dropped} calls dropped" if $block->{dropped};
	push @losses, "$block->{table_full} samples found the table full" if $block->{table_full};
	push @losses, "$block->{filed} samples and $block->{outside} outside of $block->{ticks} ticks"
		if $block->{filed} + $block->{outside} != $block->{ticks};
	return @losses;
}

1;
