# SPDX-License-Identifier: MIT
# words.pl RULES [--count|--folders]: the phrases that RULES rejects in the files whose names are read from standard input,
# one per line. words.txt describes the rules.
use strict;
use warnings;

my ($rules_file, $mode) = @ARGV;
my (@rules, @exceptions, @texts, $path, $source);

# --- The rules.

sub read_rules
{
	open my $file, "<", $rules_file or die "$rules_file: $!\n";
	while (<$file>) {
		chomp;
		next if /^\s*(#|$)/;
		my ($scope, $expression, $note) = split /\t+/;
		die "$rules_file:$.: expected SCOPE, EXPRESSION and a note, separated by tabs\n" unless defined $note;
		# A blank is any white space, since phrases go over the ends of lines.
		my $pattern = $expression =~ s/ /\\s+/gr;
		if ($scope =~ s/^allow //) {
			my $glob = quotemeta($scope) =~ s/\\\*\\\*/.*/gr =~ s/(?<!\.)\\\*/[^\/]*/gr;
			push @exceptions, {files => qr/^$glob$/, expression => qr/$pattern/i};
		} else {
			my %scopes = map { $_ => 1 } map { $_ eq "text" ? qw(comment message prose test) : $_ } split /,/, $scope;
			push @rules, {scopes => \%scopes, expression => qr/\b(?:$pattern)\b/i, source => $expression, pattern => $pattern,
				note => $note, count => 0};
		}
	}
}

# --- Texts of a file: scope, words and offset in $source. Characters in between are replaced by blanks.

sub add
{
	my ($scope, $text, $start) = @_;
	push @texts, [$scope, $text, $start];
}

sub blanks
{
	return " " x length $_[0];
}

# The comment of C without its frame.
sub add_c_comment
{
	my ($text, $start) = @_;
	$text =~ s{^(/[/*]+)}{blanks($1)}e;
	$text =~ s{(\*+/)$}{blanks($1)}e;
	$text =~ s{(\n[ \t]*)\*(?=\s)}{$1 }g;
	# Lines of // comments in a row are one comment.
	$text =~ s{(\n[ \t]*)//}{$1  }g;
	# A paragraph or an item of a list in a comment is a comment of its own.
	add_paragraphs("comment", $text, $start);
}

sub add_paragraphs
{
	my ($scope, $text, $start) = @_;
	while ($text =~ /(\S.*?)(?=\n[ \t]*\n|\s*\z)/gs) {
		add($scope, $1, $start + $-[1]);
	}
}

my $string = qr/"(?:\\.|[^"\\\n])*"/;
sub read_c
{
	my $code = $source;
	# The code, with comments and strings blanked out.
	while ($source =~ m{((?:$string\s*(?:PRI\w+\s*)?)*$string)|('(?:\\.|[^'\\\n])+')|(//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/)}gs) {
		my ($start, $text, $is_string, $is_comment) = ($-[0], $&, defined $1, defined $3);
		substr($code, $start, length $text) = $text =~ s/[^\n]/ /gr;
		if ($is_comment) {
			add_c_comment($text, $start);
		} elsif ($is_string) {
			# One text, without the quotes and what is between the strings.
			$text =~ s{($string)|[^"]+}{defined $1 ? " " . substr($1, 1, -1) . " " : blanks($&)}ge;
			$text =~ s{(\\[nt])}{blanks($1)}ge;
			add("message", $text, $start)
				unless substr($source, 0, $start) =~ /^[ \t]*#[ \t]*include[ \t]*\z/m;
		}
	}
	my $unit_test = $path =~ m{^tests/unit/};
	while ($code =~ /\b([a-z]\w*_\w+|[a-z]{4,}|[A-Z][A-Z0-9]*_\w+)\b/g) {
		my ($name, $start) = ($1, $-[1]);
		my $before = substr $code, $start > 99 ? $start - 99 : 0, $start > 99 ? 99 : $start;
		my $scope = $unit_test && $before =~ /^TEST(?:_WITH|_FROM)?\([^()]*\z/m ? "test" : "code";
		add($scope, lc $name =~ tr/_/ /r, $start);
	}
}

# Comments from # to the end of a line, and strings within a line.
sub read_script
{
	my $pattern = qr{(^[ \t]*\#(?!!)[^\n]*(?:\n[ \t]*\#[^\n]*)*)|(?<=[ \t])\#[ \t]([^\n]*)|("(?:\\.|[^"\\\n])*")|'([^'\n]*)'}m;
	while ($source =~ /$pattern/g) {
		if (defined $1) {
			my ($text, $start) = ($1, $-[1]);
			$text =~ s{(^|\n)([ \t]*)#}{$1$2 }g;
			add_paragraphs("comment", $text, $start);
		} elsif (defined $2) {
			add("comment", $2, $-[2]);
		} elsif (defined $3) {
			add("message", substr($3, 1, -1), $-[3] + 1);
		} else {
			add("message", $4, $-[4]);
		}
	}
}

sub read_make
{
	while ($source =~ /^[\w\/%.-]+:[^=\n]*?##[ \t]([^\n]*)|(^[ \t]*\#[^\n]*(?:\n[ \t]*\#[^\n]*)*)|[ \t]\#[ \t]([^\n]*)|("(?:\\.|[^"\\\n])*")/mg) {
		if (defined $1) {
			add("message", $1, $-[1]);
		} elsif (defined $2) {
			my ($text, $start) = ($2, $-[2]);
			$text =~ s{(^|\n)([ \t]*)#}{$1$2 }g;
			add_paragraphs("comment", $text, $start);
		} elsif (defined $3) {
			add("comment", $3, $-[3]);
		} else {
			add("message", substr($4, 1, -1), $-[4] + 1);
		}
	}
}

# Paragraphs, items, headings and cells of tables; blocks and spans of code are not read.
sub read_markdown
{
	my $text = $source;
	$text =~ s{^(```.*?^```[^\n]*$)}{$1 =~ s/[^\n]/ /gr}gems;
	$text =~ s{^((?: {4}|\t)[^\n]*)$}{blanks($1)}gem;
	$text =~ s{(<!--.*?-->)}{$1 =~ s/[^\n]/ /gr}ges;
	$text =~ s{(`[^`]*`)}{"X" . ($1 =~ s/[^\n]/ /gr =~ s/^.//sr)}ge;
	$text =~ s{(\]\([^)\n]*\))}{"]" . blanks(substr $1, 1)}ge;
	while ($text =~ /^#+ ([^\n]*)/mg) {
		add("prose", $1, $-[1]);
	}
	$text =~ s{^(#[^\n]*)$}{blanks($1)}gem;
	while ($text =~ /((?:^(?!\s*$)[^\n]*\n?)+)/mg) {
		my ($paragraph, $start) = ($1, $-[1]);
		while ($paragraph =~ /((?:[^\n|]|\n(?![ \t]*(?:[*-]|\d+\.|#|\|)[ \t]))+)/g) {
			my ($part, $at) = ($1, $-[1]);
			$part =~ s{^(\s*(?:[*-]|\d+\.)\s)}{blanks($1)}e;
			add("prose", $part, $start + $at) if $part =~ /[a-z]/;
		}
	}
}

sub read_html
{
	my $text = $source =~ s{(<[^>]*>)}{"\n" x ($1 =~ tr/\n//) . " " x ((length $1) - ($1 =~ tr/\n//))}ger;
	add_paragraphs("prose", $text, 0);
}

sub reader
{
	return \&read_c if $path =~ /\.([chS]|cpp|js|css|inc|ld|s)$/;
	return \&read_make if $path =~ /\.mk$|(^|\/)Makefile$/;
	return \&read_markdown if $path =~ /\.md$/;
	return \&read_html if $path =~ /\.html$/;
	return undef if $path eq $rules_file;
	return \&read_script if $path =~ /\.(sh|pl|pm|py|awk|cmake|in|rules)$|(^|\/)(layers|packages|budgets|circles|firmware)\.txt$|\/\.clang[^\/]*$/
		or $source =~ /^#!/;
	return undef;
}

# --- The search.

my ($total, $files) = (0, 0);
my (%folders, %harmless, %reported);

sub report
{
	my ($rule, $text, $at, $length, $start) = @_;
	for my $exception (grep { $path =~ $_->{files} } @exceptions) {
		while ($text =~ /$exception->{expression}/g) {
			next if $-[0] >= $at + $length or $+[0] <= $at;
			return;
		}
	}
	my $line = 1 + (substr($source, 0, $start + $at) =~ tr/\n//);
	my $found = substr($text, $at, $length) =~ s/\s+/ /gr;
	return if $reported{"$path:$line:$found"}++;
	$total++;
	$rule->{count}++;
	my $folder = $path =~ s{/[^/]*$}{}r;
	$folders{$folder eq $path ? "." : $folder}++;
	return if $mode;
	my $from = $at < 40 ? 0 : $at - 40;
	my $around = substr($text, $from, $at - $from + $length + 40) =~ s/\s+/ /gr;
	print "$path:$line: $found: $around (write: $rule->{note})\n";
}

read_rules();
my $any = join "|", map { "(?:$_->{pattern})" } @rules;
$any = qr/$any/i;
while ($path = <STDIN>) {
	chomp $path;
	open my $file, "<", $path or next;
	$source = do { local $/; <$file> };
	my $read = defined $source ? reader() : undef or next;
	$files++;
	@texts = (["code", $path =~ s/\.\w+$//r =~ tr/_\/-/   /r, 0]);
	$read->();
	for (@texts) {
		my ($scope, $text, $start) = @$_;
		# Names repeat.
		next if $scope eq "code" and $harmless{$text};
		$start += length $1 if $text =~ s/^(\s+)//;
		if ($text !~ $any) {
			$harmless{$text} = 1 if $scope eq "code";
			next;
		}
		for my $rule (grep { $_->{scopes}{$scope} } @rules) {
			while ($text =~ /$rule->{expression}/g) {
				last if $+[0] == $-[0];
				report($rule, $text, $-[0], $+[0] - $-[0], $start);
			}
		}
	}
}

if (defined $mode and $mode eq "--count") {
	printf "%6d  %s  (%s)\n", $_->{count}, $_->{source}, $_->{note} for sort { $b->{count} <=> $a->{count} } @rules;
} elsif (defined $mode) {
	printf "%6d  %s\n", $folders{$_}, $_ for sort keys %folders;
}
print $total ? "not ok words: $total phrases to reword in " . scalar(keys %folders) . " folders\n"
	: "ok words: nothing to reword in $files files\n";
exit($total ? 1 : 0);
