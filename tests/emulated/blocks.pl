# SPDX-License-Identifier: MIT
# Decoder of the blocks of a capture, for the tests of contexts and cores, by the numbers of include/bareprof/block.h,
# for little-endian targets whose addresses are below 4 GB. To be required by their scripts.
use strict;
use warnings;

sub number_of {
	my ($text) = @_;
	return $text =~ /^0x/ ? hex $text : $text;
}

# The numbers by name, without the BAREPROF_ before it.
my %number = map { /^#define BAREPROF_(\w+) +(0x[0-9A-Fa-f]+|\d+)\b/ ? ($1 => number_of($2)) : () }
	split /\n/, slurp('include/bareprof/block.h');

sub slurp {
	my ($path) = @_;
	open my $file, '<:raw', $path or die "$path: $!\n";
	local $/;
	return <$file>;
}

# The counts in the lines `calls WHO FUNCTION COUNT` of a console, for each WHO and FUNCTION.
sub counted_calls {
	my ($console) = @_;
	my %counted;
	for (split /\r?\n/, slurp($console)) {
		$counted{$1}{$2} = $3 if /^calls (\w+) (\w+) (\d+)$/;
	}
	return \%counted;
}

# Functions in the output of readelf -s, as [start, size, name]. The compiler's clone of a function (f.isra.0) counts as
# that function.
sub functions_of {
	my ($symbols) = @_;
	my @functions;
	for (split /\n/, slurp($symbols)) {
		my (undef, $value, $size, $type, undef, undef, undef, $name) = split;
		next unless defined $name && $type eq 'FUNC';
		push @functions, [hex($value) & ~1, number_of($size), $name =~ /^([^.]*)/];
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
	my $byte_of = sub { return ord substr $bytes, $number{"OFFSET_$_[0]"}, 1 };
	my $word_of = sub { return $word->($number{"OFFSET_$_[0]"}) };
	my $address_size = $byte_of->('ADDRESS_SIZE');
	my %sections = map {
		my $entry = substr $bytes, $number{OFFSET_DIRECTORY} + $number{ENTRY_SIZE} * $_, $number{ENTRY_SIZE};
		my ($kind, $parameter, $size, $offset) = unpack 'CCvV', $entry;
		my $capacity = unpack 'V', substr $entry, $number{ENTRY_CAPACITY}, 4;
		$kind => {parameter => $parameter, size => $size, items => [map { $offset + $size * $_ } 0 .. $capacity - 1]};
	} 0 .. $byte_of->('DIRECTORY_COUNT') - 1;
	my ($arcs, $granules, $coarse, $bins, $contexts) = map { $sections{$number{"SECTION_$_"}} // {parameter => 0, items => []} }
		qw(ARCS GRANULES COARSE BINS CONTEXTS);
	my $has_contexts = $arcs->{parameter} & $number{ARC_CONTEXT};
	my %block = (ticks => $word_of->('TICKS'), outside => $word_of->('SAMPLES_OUTSIDE'),
		table_full => $word_of->('SAMPLES_TABLE_FULL'), dropped => $word_of->('ARCS_DROPPED'),
		resets => $word_of->('RESET_COUNT'),
		core => $byte_of->('CORE'), calls => {}, samples => {}, filed => 0);
	$block{contexts} = [map { unpack 'Z16', substr $bytes, $_, 16 } @{$contexts->{items}}];
	my $has_others = $contexts->{parameter} & $number{CONTEXT_OTHERS};
	pop @{$block{contexts}} if $has_others;
	my $context = sub { return $has_contexts ? $block{contexts}[$word->($_[0])] // 'unknown' : '' };

	for my $slot (@{$arcs->{items}}) {
		my $count = $word->($slot + 2 * $address_size) or next;
		my $callee = $word->($slot + $address_size) & ~1;
		my ($name) = functions_between($functions, $callee, $callee + 1);
		$block{calls}{$context->($slot + 2 * $address_size + 4)}{$name // 'unknown'} += $count;
	}
	my $granule = 1 << $granules->{parameter};
	for my $slot (@{$granules->{items}}) {
		my $count = $word->($slot + $address_size) or next;
		my $low = $word->($slot) * $granule;
		# A granule that two functions share counts for neither.
		my @names = functions_between($functions, $low, $low + $granule);
		$block{samples}{$names[0]}{$context->($slot + $address_size + 4)} += $count if @names == 1;
		$block{filed} += $count;
	}
	$block{filed} += $word->($_) for @{$coarse->{items}};
	$block{filed} += unpack $bins->{size} == 2 ? 'v' : 'V', substr $bytes, $_, $bins->{size} for @{$bins->{items}};
	return \%block;
}

# Each is a hash: core, ticks, outside, table_full, dropped, resets, filed; contexts, their names; calls by context and function;
# samples by function and context. Where there are no contexts, the context is ''.
sub blocks_of {
	my ($capture, $symbols) = @_;
	my $bytes = slurp($capture);
	my $functions = functions_of($symbols);
	my @blocks;
	while (substr($bytes, 0, 8) eq 'BAREPROF') {
		my $size = unpack 'V', substr $bytes, $number{OFFSET_BLOCK_SIZE}, 4;
		push @blocks, decode_block(substr($bytes, 0, $size), $functions);
		substr $bytes, 0, $size, '';
	}
	return @blocks;
}

# Errors in the calls of one context of a block, and in its losses.
sub differences_in {
	my ($title, $calls, $counted) = @_;
	my %seen = (%$calls, %$counted);
	return map { sprintf '%s in %s %d, counted %d', $_, $title, $calls->{$_} // 0, $counted->{$_} // 0 }
		grep { ($calls->{$_} // 0) != ($counted->{$_} // 0) } sort keys %seen;
}

# Errors in the switches to the contexts of an exported profile, compared with the lines `switches WHO N` of a console.
sub differences_in_switches {
	my ($profile, $console) = @_;
	my %counted = slurp($console) =~ /^switches (\w+) (\d+)\r?$/mg;
	my %exported = map { $_->{name} => $_->{switches} } grep { defined $_->{switches} } @{$profile->{contexts}};
	my @often = grep { $_ > 100 } values %counted;
	return (differences_in('switches', \%exported, \%counted), @often < 3 ? 'too few switches were counted' : ());
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
