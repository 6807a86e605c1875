#!/bin/bash
# SPDX-License-Identifier: MIT
# names.sh [--list] [FOLDER]: measures the names of functions and structs that the C files of FOLDER define, host/ by
# default, by universal-ctags. Prints each measure with its limit as `ok` or `not ok`, and the worst names of those that
# fail; --list prints all of them. Fails if a limit does not hold.
set -u
export LC_ALL=C
list=0
if [[ ${1-} == --list ]]; then
	list=1
	shift
fi
folder=${1:-host}
find "$folder" -name '*.[ch]' -print | sort | ctags --quiet --options=NONE --language-force=C --kinds-C=fs -f - -L - --fields=k --excmd=number |
	perl -se '
	my (%functions, %structs, @lengths);
	while (<>) {
		chomp;
		my ($name, $file, undef, $kind) = split /\t/;
		next if $name =~ /^(?:main|__anon.*)$/;
		if ($kind eq "s") { $structs{$name}{$file} = 1; next; }
		$functions{$name}{$file}++;
		push @lengths, length $name;
	}
	my $total = @lengths;
	@lengths = sort { $a <=> $b } @lengths;
	my @shared = sort { keys %{$functions{$b}} <=> keys %{$functions{$a}} || $a cmp $b }
		grep { keys %{$functions{$_}} > 1 } keys %functions;
	my $sharing = 0;
	for my $name (@shared) { $sharing += $_ for values %{$functions{$name}}; }
	my @short = sort grep { !/_/ } keys %functions;
	my $short = 0;
	for my $name (@short) { $short += $_ for values %{$functions{$name}}; }
	my @tags = sort grep { keys %{$structs{$_}} > 1 } keys %structs;
	my @repeating = sort grep { /(?:^|_)([a-z]+)_(?:[a-z0-9]+_)*\1(?:_|$)/ } keys %functions;
	my @numbered = sort grep { /[a-z_]\d+$/ && !/(?:8|16|32|64)$/ } keys %functions;
	my $failed = 0;
	sub judge {
		my ($holds, $what, @names) = @_;
		print(($holds ? "ok" : "not ok"), " $what\n");
		return if $holds && !$list;
		$failed ||= !$holds;
		my $most = $list ? @names : 20;
		for my $name (@names[0 .. ($most < @names ? $most : @names) - 1]) {
			my $files = $functions{$name} || $structs{$name};
			print "    $name: ", join(" ", sort keys %$files), "\n";
		}
		printf "    and %d more\n", @names - $most if @names > $most;
	}
	judge($sharing <= 0.1 * $total, sprintf("%d of %d functions share their name with one of another file: %.1f %%, at most 10 %%", $sharing, $total, 100 * $sharing / ($total || 1)), @shared);
	judge($short <= 100, "$short functions have a name of one word, at most 100", @short);
	judge(!@tags, scalar(@tags) . " tags of structs are defined in several files, at most 0", @tags);
	judge(!@repeating, scalar(@repeating) . " names repeat a word, at most 0", @repeating);
	judge(!@numbered, scalar(@numbered) . " names end in a number, at most 0", @numbered);
	my $median = $lengths[$total / 2] // 0;
	judge($median < 20, "the median length of names is $median, below 20");
	exit $failed;' -- -list=$list
