#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# profile.pl SYMBOLS 4|8 round|down v1|bsd|4.4bsd: writes an invented gmon.out to standard output, with samples and calls of
# the functions of SYMBOLS, the output of `objdump -t`. The same symbols give the same profile. round: every function but
# the first is called, and there are cycles; down: functions call only later ones. Defects of GNU gprof (docs/GPROF.md)
# are avoided: there are no local clones, no hooks, and no samples at the end of the code.
use strict;
use warnings;

my ($symbols, $size, $shape, $format) = @ARGV;
my $address = $size == 8 ? 'Q<' : 'L<';

# A number below limit, from the high bits of a linear congruential generator; its low bits repeat early.
my $state = 1;
sub random
{
	my ($limit) = @_;
	$state = ($state * 1103515245 + 12345) % 2**31;
	return int($state / 2**15) % $limit;
}

sub functions_of
{
	my %functions;
	open my $lines, '<', $symbols or die "$symbols: $!\n";
	while (<$lines>) {
		next unless /^([0-9a-f]+) .{6}F \.text\s+([0-9a-f]+) (?:\.hidden )?([^\s.]+)$/;
		my ($start, $length, $name) = (hex($1) & ~1, hex $2, $3);
		next if $length == 0 || $name =~ /mcount/;
		$functions{$start} = {start => $start, end => $start + $length};
	}
	return sort { $a->{start} <=> $b->{start} } values %functions;
}

sub within
{
	my ($function) = @_;
	return $function->{start} + 2 * random(int(($function->{end} - $function->{start}) / 2));
}

my @functions = functions_of();
die "$symbols: no functions\n" unless @functions > 2;
my $low = $functions[0]{start};
my $high = $functions[-1]{end} + 1 & ~1;

my @bins = (0) x (($high - $low) / 2);
for my $function (@functions[0 .. $#functions - 1]) {
	for (1 .. int(($function->{end} - $function->{start}) / 4)) {
		$bins[(within($function) - $low) / 2] += random(50);
	}
}

# A caller is an address anywhere in the function, a callee one near its start, as hooks record them.
my @arcs;
for my $callee (map { 1 .. $#functions } 1 .. 3) {
	my $caller = $shape eq 'round' && @arcs >= @functions ? random(scalar @functions) : random($callee);
	my $into = $functions[$callee]{end} - $functions[$callee]{start} > 4 && random(2) ? 4 : 0;
	my $count = random(4) == 0 ? 1000000 + random(1000000) : 1 + random(300);
	push @arcs, [within($functions[$caller]), $functions[$callee]{start} + $into, $count];
}
my @blocks = map { [within($_), random(4) == 0 ? 0 : random(100)] } @functions, @functions;

binmode STDOUT;
if ($format eq 'v1') {
	print pack 'a4 L< x12', 'gmon', 1;
	print pack "C $address $address L< L< a15 a", 0, $low, $high, scalar @bins, 100, 'seconds', 's';
	print pack 'S<*', @bins;
	print map { pack "C $address $address L<", 1, @$_ } @arcs;
	print pack('C L<', 2, scalar @blocks), map { pack "$address $address", @$_ } @blocks;
} else {
	# Version and rate are 4.4BSD's.
	my $rest = $format eq '4.4bsd' ? pack 'L< L< x12', 0x51879, 250 : '';
	my $length = 2 * $size + 4 + length $rest;
	print pack("$address $address L<", $low, $high, $length + 2 * @bins), $rest;
	print pack('S<*', @bins), map { pack "$address $address $address", @$_ } @arcs;
}
