# SPDX-License-Identifier: MIT
# calls.pl ARCS N: N of the arcs of a file, from all over it, as initialisers of C. What is called where another call
# returns to is left out: loaded.c wants one instruction for each.
use strict;
use warnings;

my ($file, $wanted) = @ARGV;
open my $input, '<', $file or die "$file: $!\n";
my @arcs = map { [split] } <$input>;
my %callers = map { $_->[0] => 1 } @arcs;
@arcs = grep { !$callers{$_->[1]} } @arcs;
die "$file: fewer than $wanted arcs\n" if @arcs < $wanted;
for my $i (0 .. $wanted - 1) {
	printf "{0x%su, 0x%su},\n", @{$arcs[int($i * @arcs / $wanted)]};
}
