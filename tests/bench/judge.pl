# SPDX-License-Identifier: MIT
# judge.pl [--some] BUDGETS FIGURES...: a row per budget, then a line `ok` or `not ok` for each. Files of figures have
# lines `FIGURE WHERE NUMBER`. Fails if a budget is exceeded or was not measured; with --some the files need not have
# the figures of all budgets.
use strict;
use warnings;

my $some = $ARGV[0] eq '--some' && shift;
my ($budgets, @files) = @ARGV;

sub lines_of {
	my ($file) = @_;
	open my $input, '<', $file or die "$file: $!\n";
	return grep { !/^(#|\s*$)/ } <$input>;
}

my (%measured, %is_measured);
for (map { lines_of $_ } @files) {
	my ($figure, $where, $number) = split;
	$measured{"$figure $where"} = $number;
	$is_measured{$figure} = 1;
}

my @verdicts;
printf "%-44s %10s %10s\n", 'budget', 'maximum', 'measured';
for (lines_of $budgets) {
	my ($figure, $where, $maximum, $unit, $row) = split ' ', $_, 5;
	chomp $row;
	next if $some && !$is_measured{$figure};
	my $number = $measured{"$figure $where"};
	my $verdict = !defined $number ? 'NOT MEASURED' : $number <= $maximum ? 'met' : 'EXCEEDED';
	printf "%-44s %10s %10s %-12s %s\n", $row, $maximum, $number // '-', $unit, $verdict;
	push @verdicts, ($verdict eq 'met' ? 'ok' : 'not ok') . " $row: " . ($number // 'not measured') .
		" of at most $maximum $unit\n";
}
print "\n", @verdicts;
die "judge.pl: none of these figures has a budget: @files\n" unless @verdicts;
exit scalar grep { /^not/ } @verdicts;
