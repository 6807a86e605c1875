# SPDX-License-Identifier: MIT
# page_lists.pl FILE...: finds lines of Markdown pages that begin like a list item within a paragraph, because wrapping
# put a dash or a number there. A list begins after a blank line, or within an item after a colon.
use strict;
use warnings;

my $broken = 0;

for my $path (@ARGV) {
	open my $file, "<", $path or die "$path: $!\n";
	# The line before, whether its block is code, and the last marker of the list at each indentation.
	my ($before, $is_code, %last) = ("", 0);
	while (my $line = <$file>) {
		chomp $line;
		my ($begins, $follows_colon) = ($before eq "", $before =~ /:$/);
		my ($indent, $marker, $number) = $line =~ /^( *)([-*+]|(\d+)[.)]) /;
		$before = $line =~ s/^\s+$//r;
		next if $before eq "";
		%last = () if $begins and $line =~ /^\S/ and !defined $marker;
		$is_code = $line =~ /^ {4}/ if $begins;
		next if $is_code or !defined $marker;
		my $depth = length $indent;
		my $next_to = $last{$depth};
		my $continues = defined $next_to && (defined $number ? $next_to eq $number - 1 : $next_to eq $marker);
		if (!$begins and !$continues and !($depth > 0 and $follows_colon)) {
			print "$path:$.: begins like an item of a list: wrap the paragraph elsewhere\n";
			$broken = 1;
		}
		$last{$depth} = $number // $marker;
	}
}
exit $broken;
