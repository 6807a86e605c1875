# SPDX-License-Identifier: MIT
# What benches on large profiles share: inputs, processor time and peak memory, budgets.
package Measure;
use strict;
use warnings;
use Exporter qw(import);
our @EXPORT = qw(judge fastest make_input finish);

# Where the programs input and measure are, and inputs go; after how many seconds a command is stopped.
our $folder;
our $limit = 60;
my @verdicts;

sub judge {
	my ($holds, $what) = @_;
	push @verdicts, ($holds ? 'ok' : 'not ok') . " $what\n";
}

# Prints a line per budget, and ends the program.
sub finish {
	print @verdicts;
	exit scalar grep { /^not/ } @verdicts;
}

# Whether it was stopped, seconds, KiB.
sub measure {
	my @words = map { "'$_'" } @_;
	my $line = `'$folder/measure' $limit @words`;
	die "@_ failed\n" if $?;
	my ($end, $seconds, $memory) = split ' ', $line;
	return [$end eq 'stopped', $seconds, $memory];
}

# The same of the fastest of 5 runs, unless one takes seconds: other programs can only add to the time.
sub fastest {
	my @runs = (measure(@_));
	return @{$runs[0]} if $runs[0][1] > 3;
	push @runs, measure(@_) for 1 .. 4;
	@runs = sort { $a->[1] <=> $b->[1] } @runs;
	return @{$runs[0]};
}

# FUNCTIONS ARCS SHAPE [later], as of the program input: the firmware and its profile.
sub make_input {
	my ($functions, $arcs, $shape, @later) = @_;
	my $input = join '-', "$folder/$functions-$arcs-$shape", @later;
	mkdir $input;
	system("$folder/input", $functions, $arcs, $shape, $input, @later) == 0 or die "input failed\n";
	return ("$input/fw.elf", "$input/gmon.out");
}

1;
