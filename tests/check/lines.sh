#!/bin/bash
# SPDX-License-Identifier: MIT
# lines.sh [REF]: lines of C by folder, without comments and blank lines. With REF, a commit: before, now and change. The
# counts equal those of `gcc -fpreprocessed -dD -E -P FILE | grep -c .` over every .c and .h file.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."

# count FOLDER: "COUNT FILE" for each .c and .h file of the tree in FOLDER.
count()
{
	(
		cd "$1"
		find host target include boards tests -name '*.[ch]' | perl -ne '
			chomp;
			open my $file, "<", $_ or die "$_: $!\n";
			my $text = do { local $/; <$file> };
			# String and character constants are matched to skip what looks like a comment in them.
			$text =~ s{("(?:\\.|[^"\\\n])*"|\x27(?:\\.|[^\x27\\\n])*\x27)|//[^\n]*|/\*.*?\*/}{ $1 // " " }gse;
			my $lines = () = $text =~ /^.*\S/mg;
			print "$lines $_\n";'
	)
}

old=
if [ $# -gt 0 ]; then
	old=$(mktemp -d)
	trap 'rm -rf "$old"' EXIT
	git archive "$1" -- host target include boards tests | tar -x -C "$old"
fi

{
	[ -z "$old" ] || count "$old" | sed 's/^/before /'
	count . | sed 's/^/now /'
} | sort -k 3 | awk -v both="${old:+1}" '
	# The row of a file: its folder within host/ and tests/unit/, else the first folder or two.
	function row(file, path, depth, last, i, name) {
		depth = split(file, path, "/") - 1
		last = path[1] == "host" || path[2] == "unit" ? depth : path[1] == "tests" ? 2 : 1
		name = path[1]
		for (i = 2; i <= last && i <= depth; i++)
			name = name "/" path[i]
		return name
	}
	function print_row(name) {
		if (both)
			printf "%-36s %8d %8d %+8d\n", name, lines["before", name], lines["now", name],
				lines["now", name] - lines["before", name]
		else
			printf "%-36s %8d\n", name, lines["now", name]
	}
	{
		name = row($3)
		if (!(name in known))
			names[++count] = name
		known[name]
		lines[$1, name] += $2
		split($3, path, "/")
		lines[$1, "total " path[1]] += $2
		if (path[2] == "unit")
			lines[$1, "total tests/unit"] += $2
		lines[$1, "total"] += $2
	}
	END {
		if (both)
			printf "%-36s %8s %8s %8s\n", "lines of C", "before", "now", "change"
		else
			printf "%-36s %8s\n", "lines of C", "now"
		for (i = 1; i <= count; i++)
			print_row(names[i])
		print ""
		split("host target include boards tests/unit tests", totals, " ")
		for (i = 1; i in totals; i++)
			print_row("total " totals[i])
		print_row("total")
	}'
