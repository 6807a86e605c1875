# SPDX-License-Identifier: MIT
# blank_lines.pl [--write] FILE...: the places in C files where no blank line separates the declarations at the beginning of a
# block from its first statement. --write inserts the blank lines.
use strict;
use warnings;

my $write = @ARGV && $ARGV[0] eq "--write" && shift;
my $missing = 0;

# Does a declaration begin on this line, which has no comments, strings or label? Statements begin with two words only if
# the first is a keyword.
sub begins_declaration
{
	my ($line) = @_;
	return 0 if $line =~ /^\s*(?:if|while|for|switch|return|goto|else|case|sizeof|do|__?asm(?:__)?)\b/;
	return 1 if $line =~ /^\s*(?:static|const|volatile|register|extern|struct|union|enum|typedef|_Static_assert|_Alignas|__attribute__)\b/;
	return $line =~ /^\s*\w+(?:\s+\**\s*|\s*\*+\s*)(?:const\s+)?(?:\w+\s*(?:[=;,\[:]|\(|__asm|$)|\(\*)/;
}

for my $path (@ARGV) {
	open my $file, "<", $path or die "$path: $!\n";
	my $text = do { local $/; <$file> };
	my @lines = split /\n/, $text, -1;
	# Comments become blanks, strings become "".
	$text =~ s{("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(/\*.*?\*/|//[^\n]*)}{defined $1 ? '""' : $2 =~ tr/\n//cdr}gse;
	my @code = split /\n/, $text, -1;

	# The line of the last declaration in a row at the beginning of a block; the declaration that is not complete.
	my ($in_head, $last, $part, @inserted) = (0, undef, "");
	for my $i (0 .. $#code) {
		my $line = $code[$i];
		if ($part ne "") {
			$part .= $line;
		} elsif ($line =~ /^\s*$/) {
			# A blank line, not one of comments only, ends the declarations.
			$in_head = 0 if defined $last and $lines[$i] =~ /^\s*$/;
			next;
		} elsif ($in_head and $line !~ /\\$/ and begins_declaration($line)) {
			$part = $line;
		} else {
			if ($in_head and defined $last and $line !~ /^\s*[}#]/) {
				push @inserted, $last + 1;
				print "$path:", $last + 2, ": no blank line after the declarations of the block\n" unless $write;
			}
			($in_head, $last) = ($line =~ /\{\s*$/ ? 1 : 0, undef);
			next;
		}
		if ($part =~ /;\s*$/ and ($part =~ tr/({[//) == ($part =~ tr/)}]//)) {
			($last, $part) = ($i, "");
		}
	}
	$missing += @inserted;
	next unless $write and @inserted;
	splice @lines, $_, 0, "" for reverse @inserted;
	open my $output, ">", $path or die "$path: $!\n";
	print $output join "\n", @lines;
	close $output or die "$path: $!\n";
}
exit($missing && !$write ? 1 : 0);
