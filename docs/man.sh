#!/bin/sh
# SPDX-License-Identifier: MIT
# man.sh TOOL FOLDER: generates the man pages bareprof.1 and bareprof-COMMAND.1 in FOLDER from the help texts of TOOL.
set -eu
tool=$1
folder=$2
# The date of the pages, which reproducible builds set.
date=${SOURCE_DATE_EPOCH:+@$SOURCE_DATE_EPOCH}
date=$(date -u -d "${date:-now}" +%Y-%m-%d)
version=$("$tool" --version | sed -n '1s/.* //p')
commands=$("$tool" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')

# page NAME EXIT_STATUS PAGES: a man page from a help text on standard input: usage line, blank, summary, blank, the rest.
# In the rest the first line with an option begins the section OPTIONS, and "Example:" the section EXAMPLES.
page() {
	awk -v name="$1" -v version="$version" -v date="$date" -v exit_status="$2" -v pages="$3" '
		function roff(text) {
			gsub(/\\/, "\\e", text)
			gsub(/-/, "\\-", text)
			return text ~ /^[.'\'']/ ? "\\&" text : text
		}
		function section(title) {
			if (is_open)
				print ".fi"
			print ".SH " title "\n.nf"
			is_open = 1
			blanks = 0
		}
		NR == 1 { sub(/^Usage: /, ""); usage = $0; next }
		NR == 3 { summary = $0; sub(/\.$/, "", summary); next }
		NR == 4 {
			printf ".TH %s 1 \"%s\" \"bareprof %s\"\n.SH NAME\n", toupper(name), date, version
			printf "%s \\- %s\n.SH SYNOPSIS\n%s\n", name, roff(summary), roff(usage)
			next
		}
		NR < 4 { next }
		/^$/ { blanks++; next }
		/^Example: / {
			section("EXAMPLES")
			sub(/^Example: /, "         ")
			in_examples = 1
		}
		in_examples { sub(/^ +/, "") }
		/^Commands:$/ { section("COMMANDS"); next }
		/^  ? ? ? ? ?-/ && !in_options { section("OPTIONS"); in_options = 1 }
		/^bareprof COMMAND --help/ { section("DESCRIPTION") }
		/^Exit status: / { next }
		!is_open { section("DESCRIPTION") }
		{
			while (blanks > 0) {
				print ""
				blanks--
			}
			print roff($0)
		}
		END {
			print ".fi\n.SH EXIT STATUS\n" exit_status "\n.SH SEE ALSO"
			count = split(pages, page_names, " ")
			for (i = 1; i <= count; i++)
				if (page_names[i] != name) {
					printf "%s.BR %s (1)", follows ? ",\n" : "", page_names[i]
					follows = 1
				}
			print ""
		}'
}

pages=bareprof
for command in $commands; do
	pages="$pages bareprof-$command"
done
mkdir -p "$folder"
"$tool" --help | page bareprof "0: done; 1: failed; 2: usage; 3: a rule of diff was broken." "$pages" >"$folder/bareprof.1"
for command in $commands; do
	exit_status="0: done; 1: failed; 2: usage."
	[ "$command" != diff ] || exit_status="0: done; 1: failed; 2: usage; 3: a rule is broken."
	[ "$command" != gprof ] || exit_status="0: done; 1: failed or usage error, as with GNU gprof."
	"$tool" "$command" --help | page "bareprof-$command" "$exit_status" "$pages" >"$folder/bareprof-$command.1"
done
