#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# rows.pl OBJDUMP PRINT_ROWS ELF: compares the rows that host/firmware/unwind/ reads from an ELF with objdump's, at each
# address where either begins.
use strict;
use warnings;

my ($objdump, $print_rows, $elf) = @ARGV;
my $is_arm = $objdump =~ /arm/;
my $is_linked = 1;
my ($sp, $fp, $lr) = $is_arm ? ('r13', 'r7', 'ra') : ('sp', 's0', 'ra');

# Rows [low, high, "base offset ra fp"] by low.
sub rules {
	my ($cfa, %rule) = @_;
	my ($base, $offset) = $cfa =~ /^(\w+)([+-]\d+)$/;
	$base = !defined $base ? '?' : $base eq $sp ? 'sp' : $base eq $fp ? 'fp' : '?';
	$offset = $base eq '?' ? 0 : $offset + 0;
	# objdump prints u for a register without a rule as well.
	my @rules = map { my $r = $rule{$_} // 'u'; $r =~ /^(?:u|s)$/ ? 's' : $r =~ /^c[+-]\d+$/ ? $r : '?' } $lr, $fp;
	$rules[0] = '?' if !$is_linked;
	return "$base $offset @rules";
}

my (%cie, %is_linked, @expected, @columns, $fde, $cie);
sub finish {
	return if !$fde;
	push @{$fde->{rows}}, [$fde->{low}, $cie{$fde->{cie}}] if !@{$fde->{rows}};
	my @rows = @{$fde->{rows}};
	for my $i (0 .. $#rows) {
		my $high = $i < $#rows ? $rows[$i + 1][0] : $fde->{high};
		push @expected, [$rows[$i][0], $high, $rows[$i][1]] if $high > $rows[$i][0] && $fde->{low} != 0;
	}
	$fde = undef;
}
open my $dump, '-|', $objdump, '--dwarf=frames-interp', $elf or die;
while (<$dump>) {
	if (/^Contents of the/) { finish(); %cie = (); next }
	if (/^([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ CIE .*ra=(\d+)/) {
		finish();
		# Functions that are called by another register, as by -msave-restore, have no known return address.
		$cie = $1;
		$is_linked = $is_linked{$cie} = $2 == ($is_arm ? 14 : 1);
		next;
	}
	if (/^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+)/) {
		finish();
		$cie = undef;
		$fde = {cie => $1, low => hex $2, high => hex $3, rows => []};
		$is_linked = $is_linked{$1};
		next;
	}
	if (/^\s+LOC\s+CFA\s*(.*)/) { @columns = split ' ', $1; next }
	if (/^([0-9a-f]{8,16}) (\S+)\s*(.*)/) {
		my ($at, $cfa, @values) = (hex $1, $2, split ' ', $3);
		my %rule;
		@rule{@columns} = @values;
		my $rules = rules($cfa, %rule);
		if ($fde) { push @{$fde->{rows}}, [$at, $rules] } elsif (defined $cie) { $cie{$cie} = $rules }
	}
}
finish();
close $dump or die "$objdump failed\n";

my @found;
open my $rows, '-|', $print_rows, $elf or die;
while (<$rows>) {
	my ($low, $high, $base, $offset, @rules) = split;
	s/^u$/s/ for @rules;
	push @found, [hex $low, hex $high, "$base $offset @rules"];
}
close $rows or die "$print_rows failed\n";

# Functions: [start, end), to see that none is missing.
my %starts;
for (split /\n/, `readelf -sW '$elf'`) {
	my (undef, $value, $size, $type, undef, undef, $section) = split;
	$starts{(hex $value) & ~($is_arm ? 1 : 0)} = 1 if ($type // '') eq 'FUNC' && ($section // '') =~ /^\d+$/;
}

@expected = sort { $a->[0] <=> $b->[0] } @expected;
for my $i (1 .. $#found) {
	die sprintf "rows overlap at %x\n", $found[$i][0] if $found[$i][0] < $found[$i - 1][1];
}
sub at {
	my ($rows, $address) = @_;
	my ($low, $high) = (0, scalar @$rows);
	while ($low < $high) {
		my $middle = int(($low + $high) / 2);
		if ($rows->[$middle][1] <= $address) { $low = $middle + 1 } else { $high = $middle }
	}
	return $low < @$rows && $rows->[$low][0] <= $address ? $rows->[$low] : undef;
}
my ($compared, $wrong) = (0, 0);
for my $address (sort { $a <=> $b } map { $_->[0] } @found, @expected) {
	my ($is, $should) = (at(\@found, $address), at(\@expected, $address));
	next if !$is && !$starts{$address};
	$compared++;
	my ($text, $text_should) = map { $_ ? $_->[2] : 'none' } $is, $should;
	next if $text eq $text_should;
	printf "%x: %s, objdump: %s\n", $address, $text, $text_should if ++$wrong <= 10;
}
die "$elf: only $compared rows\n" if $compared < 30;
die "$elf: $wrong of $compared rows differ\n" if $wrong;
print "ok rows: $compared\n";
