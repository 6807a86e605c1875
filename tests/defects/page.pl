# SPDX-License-Identifier: MIT
# page.pl PAGE FOLDER BAREPROF: the tables of docs/GPROF.md have exactly one row for each bug in FOLDER and for each option
# that `BAREPROF gprof --help` lists. defects.sh checks the content of the rows.
use strict;
use warnings;

my ($page, $folder, $bareprof) = @ARGV;

# The rows of the table below a heading.
sub rows_below {
	my ($heading) = @_;
	open my $input, '<', $page or die "$page: $!\n";
	my $text = do { local $/; <$input> };
	my ($section) = $text =~ /^## \Q$heading\E\n(.*?)(?=^## |\z)/ms or die "$page: no section $heading\n";
	my @rows = $section =~ /^(\|.*)\n/mg;
	return @rows[2 .. $#rows];
}

sub options_of { return map { /(?<![\w-])(--[a-z][a-z-]*|-[A-Za-z])(?![\w-])/g } @_ }

sub compare {
	my ($what, $wanted, $found) = @_;
	my (%wanted, %found);
	$wanted{$_}++ for @$wanted;
	$found{$_}++ for @$found;
	my @wrong = ((map { "$_ is not on the page" } grep { !$found{$_} } sort keys %wanted),
		(map { "$_ is on the page only" } grep { !$wanted{$_} } sort keys %found),
		(map { "$_ is on the page twice" } grep { $found{$_} > 1 } sort keys %found));
	print @wrong || !@$wanted ? "not ok $what: " . join(', ', @wrong) . "\n" : "ok $what: " . @$wanted . "\n";
}

my @recorded = map { open my $input, '<', $_ or die "$_: $!\n"; my $row = <$input>; chomp $row; $row } glob "$folder/*/row";
compare('defects of GNU gprof', \@recorded, [rows_below('What GNU gprof does wrong')]);

my @help = grep { /^ +-/ } `$bareprof gprof --help`;
my @listed = options_of(map { /^ +(-.*?)(?:  |$)/ } @help);
compare('options of gprof', \@listed, [options_of(map { (split /\|/)[1] } rows_below('Options'))]);
