# SPDX-License-Identifier: MIT
# frames.pl BOARD OUTPUT: the figure of frames.sh, from OUTPUT.bprof, OUTPUT.symbols and OUTPUT.counts.
use strict;
use warnings;
use POSIX qw(ceil);

my ($board, $output) = @ARGV;
my (%function, @nodes);
my ($instructions, $frames) = (0, 0);

sub lines_of {
	open my $file, '<', $_[0] or die "$_[0]: $!\n";
	return <$file>;
}

for (lines_of("$output.symbols")) {
	my @fields = split;
	$function{$fields[7]} = [hex($fields[1]) & ~1, $fields[2]] if @fields == 8 && $fields[3] eq 'FUNC';
}
my @parts = map { $function{$_} // die "no function $_\n" } qw(bareprof_callers_find bareprof_path_count);
for (lines_of("$output.counts")) {
	my ($address, $count) = split;
	$instructions += $count if grep { hex($address) >= $_->[0] && hex($address) < $_->[0] + $_->[1] } @parts;
}
my $bytes = do { local $/; open my $file, '<:raw', "$output.bprof" or die "$output.bprof: $!\n"; <$file> };
for my $entry (0 .. unpack('x13 C', $bytes) - 1) {
	my ($kind, undef, $size, $offset, $capacity) = unpack 'C C S< L< L<', substr $bytes, 0x90 + 16 * $entry, 16;
	@nodes = map { [unpack 'L< S< S< L<', substr $bytes, $offset + $size * $_, $size] } 0 .. $capacity - 1 if $kind == 11;
}
for my $leaf (grep { $_->[2] == 4 } @nodes) {
	my $depth = 1;
	for (my $at = $leaf->[1]; $nodes[$at][2] == 2; $at = $nodes[$at][1]) {
		$depth++;
	}
	$frames += $depth * $leaf->[3];
}
die "$output: no paths\n" if !$frames;
printf "instructions-frame %s %d\n", $board, ceil($instructions / $frames);
