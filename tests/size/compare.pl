# SPDX-License-Identifier: MIT
# compare.pl BASELINE FIGURES: prints a table of the measured sizes; fails if one exceeds the baseline.
# Both files have lines `FIGURE WHERE NUMBER`; a line `# compilers: ...` names the compilers.
use strict;
use warnings;

my ($baseline_file, $figures_file) = @ARGV;
my $accept = 'type `make size-accept` to record it';

sub read_figures {
	my ($file) = @_;
	my (%figures, @places, @names, $compilers);
	open my $input, '<', $file or die "$file: $!\n";
	while (<$input>) {
		$compilers = $1 if /^# compilers: (.*)/;
		next if /^(#|\s*$)/;
		my ($name, $where, $number) = split;
		push @places, $where unless $figures{$where};
		push @names, $name unless grep { $_ eq $name } @names;
		$figures{$where}{$name} = $number;
	}
	return {figures => \%figures, places => \@places, names => \@names, compilers => $compilers // 'unknown'};
}

my ($baseline, $now) = (read_figures($baseline_file), read_figures($figures_file));

my $row = "%-28s" . ' %12s' x @{$now->{names}} . "\n";
printf $row, 'bytes', @{$now->{names}};
for my $where (@{$now->{places}}) {
	printf $row, $where, map { $now->{figures}{$where}{$_} // '' } @{$now->{names}};
}
print "\n";

my $same_compilers = $baseline->{compilers} eq $now->{compilers};
my $of_another = $same_compilers ? '' : "; the baseline is of $baseline->{compilers}, this is $now->{compilers}";
my ($failures, $within) = (0, 0);

sub fails { $failures++; print "not ok @_\n" }

for my $where (@{$now->{places}}) {
	for my $name (sort keys %{$now->{figures}{$where}}) {
		my ($before, $after) = ($baseline->{figures}{$where}{$name}, $now->{figures}{$where}{$name});
		if (!defined $before) {
			fails "$name of $where is not in $baseline_file: $accept";
		} elsif ($after > $before) {
			fails "$name of $where grew from $before to $after bytes: $accept$of_another";
		} else {
			$within++;
			print "# $name of $where shrank from $before to $after bytes: $accept\n" if $after < $before;
		}
	}
}
for my $where (@{$baseline->{places}}) {
	for my $name (sort keys %{$baseline->{figures}{$where}}) {
		fails "$name of $where is in $baseline_file and was not measured: $accept"
			unless defined $now->{figures}{$where}{$name};
	}
}
print "ok no size is more than in $baseline_file: $within figures\n" unless $failures;
exit($failures != 0);
