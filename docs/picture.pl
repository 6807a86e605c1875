#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Draws what a command prints as a picture, for docs/pictures.mk:
#
#	docs/picture.pl BAREPROF FOLDER COMMAND [ARGUMENT]... >NAME.svg
#
# The command runs in FOLDER. The text and its emphasis are as on a terminal. The picture follows the reader's preference for
# light or dark colours.
use strict;
use warnings;
use utf8;
use File::Spec;

my ($FONT_SIZE, $LINE_HEIGHT, $COLUMN_WIDTH, $MARGIN) = (13, 17, 7.9, 16);
my %CLASS = (1 => "bold", 2 => "dim", 32 => "good", 33 => "warning");

@ARGV >= 3 or die "usage: picture.pl BAREPROF FOLDER COMMAND [ARGUMENT]...\n";
my ($bareprof, $folder, $command, @arguments) = @ARGV;
my $typed = "bareprof $command @arguments";

$bareprof = File::Spec->rel2abs($bareprof);
chdir $folder or die "picture.pl: $folder: $!\n";
open my $output, "-|:utf8", $bareprof, $command, "--color=always", @arguments or die "picture.pl: $bareprof: $!\n";
my @lines = <$output>;
close $output or die "picture.pl: $typed: failed in $folder\n";
chomp @lines;
unshift @lines, "\e[2m\$ $typed\e[0m", "";

sub escaped {
	my ($text) = @_;
	my %entity = ("&" => "&amp;", "<" => "&lt;", ">" => "&gt;");
	return $text =~ s/([&<>])/$entity{$1}/gr;
}

# Turns the terminal's codes for emphasis (ECMA-48, 8.3.117) into elements with a class.
sub drawn {
	my ($line) = @_;
	my ($out, $class) = ("", "");
	for my $piece (split /(\e\[\d+m)/, $line) {
		if ($piece =~ /^\e\[(\d+)m$/) {
			die "picture.pl: unknown code of the terminal: $1\n" if $1 && !$CLASS{$1};
			$class = $1 ? $CLASS{$1} : "";
		} elsif ($piece ne "") {
			$out .= $class ? sprintf('<tspan class="%s">%s</tspan>', $class, escaped($piece)) : escaped($piece);
		}
	}
	return $out;
}

my $columns = 0;
for my $line (@lines) {
	my $length = length($line =~ s/\e\[\d+m//gr);
	$columns = $length if $length > $columns;
}
my $width = int($columns * $COLUMN_WIDTH + 2 * $MARGIN + 0.5);
my $height = @lines * $LINE_HEIGHT + 2 * $MARGIN;

binmode STDOUT, ":utf8";
print <<"END";
<svg xmlns="http://www.w3.org/2000/svg" width="$width" height="$height" viewBox="0 0 $width $height" role="img">
<title>@{[escaped($typed)]}</title>
<style>
rect { fill: #ffffff; stroke: #d0d7de; }
text { fill: #1f2328; font: ${FONT_SIZE}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; }
.bold { font-weight: bold; }
.dim { fill: #6e7781; }
.good { fill: #1a7f37; }
.warning { fill: #9a6700; }
\@media (prefers-color-scheme: dark) {
	rect { fill: #0d1117; stroke: #30363d; }
	text { fill: #e6edf3; }
	.dim { fill: #8b949e; }
	.good { fill: #3fb950; }
	.warning { fill: #d29922; }
}
</style>
<rect x="0.5" y="0.5" width="@{[$width - 1]}" height="@{[$height - 1]}" rx="6"/>
END
for my $index (grep { $lines[$_] ne "" } 0 .. $#lines) {
	printf qq{<text x="%d" y="%d" xml:space="preserve">%s</text>\n}, $MARGIN,
		$MARGIN + ($index + 1) * $LINE_HEIGHT - 4, drawn($lines[$index]);
}
print "</svg>\n";
