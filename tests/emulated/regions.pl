# SPDX-License-Identifier: MIT
# regions.pl RUN: the table of regions in RUN.report against the functions of RUN.json and the output of readelf in
# RUN.segments and RUN.symbols. Prints the table in one line, or the first difference.
use strict;
use warnings;
use JSON::PP;
use List::Util qw(sum0);

# Times in the table have four decimals or more.
use constant ROUNDING => 6e-5;

my ($run) = @ARGV;

sub lines_of {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	return <$file>;
}

sub fail {
	print "$_[0]\n";
	exit 1;
}

# " 57.86  0.76278  0.00539  2  40  .data 0x20000c40-0x20000c70"; the error may be missing.
my @regions;
for (lines_of("$run.report")) {
	next unless /^ +([\d.]+) +([\d.]+) +(?:([\d.]+) +)?(\d+) +(\d+)  (\S+) 0x(\w+)-0x(\w+)$/;
	push @regions, {percent => $1, time => $2, error => $3, functions => $4, bytes => $5, name => $6,
		start => hex $7, end => hex $8};
}
@regions == 2 or fail(scalar(@regions) . ' regions');

# Each region is in an executable segment, unless the user chose it, and the function in RAM is in the last one.
my @segments = map { /^\s+LOAD\s+\S+\s+0x(\w+)\s+\S+\s+\S+\s+0x(\w+)\s+.*E/ ? [hex $1, hex($1) + hex $2] : () }
	lines_of("$run.segments");
for my $region (grep { $_->{name} =~ /^\./ } @regions) {
	grep { $_->[0] <= $region->{start} && $region->{end} <= $_->[1] } @segments or fail("$region->{name} is in no segment");
}

# Symbols of functions; several at one address are one function.
my (%size, %name);
for (lines_of("$run.symbols")) {
	my (undef, $value, $size, $type, undef, undef, undef, $name) = split;
	next unless defined $name && $type =~ /^FUNC$/ && $size > 0;
	my $address = hex($value) & ~1;
	($size{$address}, $name{$name}) = ($size, $address);
}
$name{mix} >= $regions[1]{start} && $name{mix} < $regions[1]{end} or fail('mix() is not in RAM');
$name{stir} >= $regions[0]{start} && $name{stir} < $regions[0]{end} or fail('stir() is not in flash');

my $json = decode_json(join '', lines_of("$run.json"));
my ($recorder) = grep { $_->{name} eq '<bareprof>' } @{$json->{functions}};
for my $region (@regions) {
	my $holds = sub { $_[0] >= $region->{start} && $_[0] < $region->{end} };
	my @own = grep { $_->{kind} eq 'function' && $holds->($_->{address}) } @{$json->{functions}};
	my $time = sum0 map { $_->{self} } @own;
	$time += $recorder->{self} if $recorder && $holds->($name{bareprof_start});
	abs($time - $region->{time}) < ROUNDING or fail("$region->{name}: $region->{time} s, its functions $time s");
	my $variance = sum0 map { $_->{self_variance} } @own;
	$region->{error} && abs($region->{error} / sqrt($variance) - 1) < 0.1 or
		fail("$region->{name}: error " . ($region->{error} // 'missing') . ', of its functions ' . sqrt $variance);
	# Labels also name code: vectors, and the veneers of calls that are too far for one instruction.
	my @symbols = grep { $holds->($_) } keys %size;
	my $bytes = sum0 map { $size{$_} } @symbols;
	$region->{functions} >= @symbols && $region->{functions} <= @symbols + 12 && $region->{bytes} >= $bytes or
		fail("$region->{name}: $region->{functions} functions of $region->{bytes} bytes, by its symbols " .
			@symbols . " of $bytes");
}
my $sum = sum0 map { $_->{time} } @regions;
abs($sum - $json->{total}) < 2 * ROUNDING or fail("$sum s in all regions, $json->{total} s in all");
print join(', ', map { "$_->{name}: $_->{percent} %, $_->{functions} functions" } @regions), "\n";
