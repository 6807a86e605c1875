# SPDX-License-Identifier: MIT
# probes.pl PROGRAM... ARCS...: runs each program, NAME-SLOTS, over the arcs of each file (.arcs) with its table 70 %
# and 85 % full, where a file has enough. A row per table and file is a comment. The figure is that of the table that needs
# the most probes, on average over all files.
use strict;
use warnings;

my @files = grep { /\.arcs$/ } @ARGV;
my @programs = grep { !/\.arcs$/ } @ARGV;
my (%most, %worst);

sub name_of { return $_[0] =~ s{.*/}{}r =~ s/\.arcs$//r }

printf "# %-20s %-20s %6s %8s %8s %8s\n", 'table', 'calls of', 'full', 'average', 'worst', 'longest';
for my $program (@programs) {
	my (%sum, %rows);
	for my $file (@files) {
		for my $percent (70, 85) {
			my $line = qx($program $file $percent);
			die "$program $file failed\n" if $? != 0;
			my ($trials, $average, $worst, $longest) = split ' ', $line;
			next if $trials == 0;
			printf "# %-20s %-20s %5d%% %8.3f %8.3f %8d\n", name_of($program), name_of($file), $percent,
				$average, $worst, $longest;
			$sum{$percent} += $average;
			$rows{$percent}++;
			$worst{$percent} = $worst if $worst > ($worst{$percent} // 0);
		}
	}
	for my $percent (70, 85) {
		die "no file has arcs enough for $program\n" unless $rows{$percent};
		my $average = $sum{$percent} / $rows{$percent};
		$most{$percent} = $average if $average > ($most{$percent} // 0);
	}
}
for my $percent (70, 85) {
	printf "probes %d%% %.3f\n", $percent, $most{$percent};
	printf "probes-worst %d%% %.3f\n", $percent, $worst{$percent};
}
