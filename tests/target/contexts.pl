# SPDX-License-Identifier: MIT
# contexts.pl CONSOLE CAPTURE SYMBOLS: compares the lines `calls CONTEXT FUNCTION N` of a console with the arcs and
# samples of a block, decoded by the offsets of include/bareprof/block.h; SYMBOLS is what readelf -s printed. Calls are
# held to be equal. Samples of a function that one context alone called are held to be of that context, and those of one
# that all called to be shared as its calls are, within three sigma. Prints a summary, or the differences, on one line.
use strict;
use warnings;

use constant SIGMAS => 3;
# Called by all, the same instructions each time.
use constant SHARED => 'mix';
use constant { ARCS => 3, GRANULES => 4, COARSE => 5, CONTEXTS => 6 };

sub slurp {
	my ($path) = @_;
	open my $file, '<:raw', $path or die "$path: $!\n";
	local $/;
	return <$file>;
}

my ($console, $capture, $symbols) = @ARGV;
my (%counted, %owners);
for (split /\r?\n/, slurp($console)) {
	next unless /^calls (\w+) (\w+) (\d+)$/;
	$counted{$1}{$2} = $3;
	$owners{$2}{$1} = 1 if $3;
}

my @functions;
for (split /\n/, slurp($symbols)) {
	my (undef, $value, $size, $type, undef, undef, undef, $name) = split;
	push @functions, [hex($value) & ~1, $size =~ /^0x/ ? hex $size : $size, $name] if defined $name && $type eq 'FUNC';
}

# A clone that the compiler made (f.isra.0) is the function that the source names.
sub functions_at {
	my ($low, $high) = @_;
	return map { $_->[2] =~ /^([^.]*)/ } grep { $_->[0] < $high && $low < $_->[0] + $_->[1] } @functions;
}

my $block = slurp($capture);
sub number { return unpack 'V', substr $block, $_[0], 4 }
my $address_size = ord substr $block, 0x0c, 1;
# Addresses of both kinds of target are below 4 GB.
my %sections = map {
	my ($kind, $parameter, $item_size, $offset, $capacity) = unpack 'CCvVV', substr $block, 0x90 + 16 * $_, 16;
	$kind => {parameter => $parameter, capacity => $capacity, items => [map { $offset + $item_size * $_ } 0 .. $capacity - 1]};
} 0 .. ord(substr $block, 0x0d, 1) - 1;

my @names = map { unpack 'Z16', substr $block, $_, 16 } @{$sections{+CONTEXTS}{items}};
my $at_count = 2 * $address_size;
my %profiled;
my $calls = 0;
for my $slot (@{$sections{+ARCS}{items}}) {
	my $count = number($slot + $at_count) or next;
	my ($callee) = functions_at((number($slot + $address_size) & ~1), (number($slot + $address_size) & ~1) + 1);
	$profiled{$names[number($slot + $at_count + 4)]}{$callee // 'unknown'} += $count;
	$calls += $count;
}

my (%samples, %seen);
my $filed = 0;
my $bytes = 1 << $sections{+GRANULES}{parameter};
for my $slot (@{$sections{+GRANULES}{items}}) {
	my $count = number($slot + $address_size) or next;
	my $context = $names[number($slot + $address_size + 4)];
	my $low = number($slot) * $bytes;
	# A granule that two functions share tells of neither.
	my @owners = functions_at($low, $low + $bytes);
	$samples{$owners[0]}{$context} += $count if @owners == 1;
	$filed += $count;
}
$filed += number($_) for @{$sections{+COARSE}{items}};

my @differences;
for my $context (sort keys %counted) {
	for my $function (sort keys %{$counted{$context}}) {
		my ($is, $should_be) = ($profiled{$context}{$function} // 0, $counted{$context}{$function});
		push @differences, "$function in $context $is, counted $should_be" if $is != $should_be;
	}
}
push @differences, sprintf '%d calls dropped', number(0x50) if number(0x50);

my $exclusive = 0;
for my $function (sort keys %owners) {
	my @owners = keys %{$owners{$function}};
	next if @owners != 1;
	for my $context (sort keys %{$samples{$function}}) {
		my $count = $samples{$function}{$context};
		push @differences, "$count samples of $function in $context" if $context ne $owners[0];
		$exclusive += $count;
	}
}
my $all = 0;
$all += $_ for values %{$samples{+SHARED}};
my $all_calls = 0;
$all_calls += $counted{$_}{+SHARED} for keys %counted;
my @shares;
for my $context (sort keys %{$owners{+SHARED}}) {
	my $share = $counted{$context}{+SHARED} / $all_calls;
	my ($is, $expected) = ($samples{+SHARED}{$context} // 0, $all * $share);
	my $off = abs($is - $expected) / sqrt($all * $share * (1 - $share));
	push @shares, sprintf '%s %d expected %.0f', $context, $is, $expected;
	push @differences, sprintf '%s of %s, %.1f sigma off', SHARED, $shares[-1], $off if $off > SIGMAS;
}
my ($ticks, $outside) = (number(0x40), number(0x48));
push @differences, sprintf '%d samples found the table full', number(0x4c) if number(0x4c);
push @differences, "$filed samples and $outside outside of $ticks ticks" if $filed + $outside != $ticks;
push @differences, 'the contexts are ' . join ' ', @names if "@names" ne 'main first second interrupt';
push @differences, 'next to nothing was counted' if @shares != 3 || $calls < 10000 || $exclusive < 300 || $all < 1000;
if (@differences) {
	print join('; ', @differences), "\n";
	exit 1;
}
printf "%d calls; %s has %s samples\n", $calls, SHARED, join ', ', @shares;
