#!/bin/bash
# SPDX-License-Identifier: MIT
# circles.sh SOURCES OBJECTS: checks that no C files in the folder SOURCES use each other's functions or data in a circle,
# by the symbols that their objects in the folder OBJECTS define and need.
set -u
sources=$1
objects=$2

# Starts from the sources, because objects of sources that were moved or removed may still be there.
find "$sources" -name '*.c' | sort | while read -r source; do
	object=$objects/${source#"$sources"/}
	[ ! -e "${object%.c}.o" ] || echo "${object%.c}.o"
done | xargs -r nm -A -P | perl -e '
	use strict;
	use warnings;
	my ($sources, $objects) = @ARGV;
	my (%file, %needed, %edges);

	# Lines "OBJECT: SYMBOL TYPE ...": U and w are undefined, other capitals are global definitions.
	while (<STDIN>) {
		my ($object, $symbol, $type) = /^(.*?): (\S+) (\S)/ or next;
		my $source = $object =~ s/^\Q$objects\E(.*)\.o$/$sources$1.c/r;
		$needed{$source} //= [];
		push @{$needed{$source}}, $symbol if $type =~ /[Uw]/;
		$file{$symbol} = $source if $type =~ /[A-TV-Z]/;
	}
	for my $source (keys %needed) {
		for my $symbol (sort @{$needed{$source}}) {
			push @{$edges{$source}{$file{$symbol}}}, $symbol
				if exists $file{$symbol} and $file{$symbol} ne $source;
		}
	}

	# All files that each file depends on: two files are in one circle if each depends on the other.
	my %reached;
	for my $source (keys %needed) {
		my @next = ($source);
		while (defined(my $from = shift @next)) {
			push @next, grep { !$reached{$source}{$_}++ } keys %{$edges{$from}};
		}
	}

	my ($bad, %circle) = (0);
	for my $source (sort grep { $reached{$_}{$_} } keys %needed) {
		next if $circle{$source};
		my @members = grep { $reached{$source}{$_} and $reached{$_}{$source} } sort keys %needed;
		$circle{$_} = 1 for @members;
		$bad++;
		print "not ok circle of ", scalar @members, " files: @members\n";
		for my $from (@members) {
			for my $to (grep { $edges{$from}{$_} } @members) {
				my @symbols = @{$edges{$from}{$to}};
				print "    $from uses @symbols of $to\n";
			}
		}
	}
	my $count = keys %needed;
	print "ok circles: $count files of $sources\n" if $count and !$bad;
' "$sources" "$objects"
