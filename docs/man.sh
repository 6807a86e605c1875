#!/bin/sh
# SPDX-License-Identifier: MIT
# man.sh TOOL FOLDER: makes the man pages bareprof.1 and bareprof-COMMAND.1 in FOLDER from what TOOL --help prints, which is
# the one source of both.
set -eu
tool=$1
folder=$2
version=$("$tool" --version | cut -d ' ' -f 2)

# Standard input is a help text: usage line, blank, summary, blank, the rest. $1: the page's name.
page() {
	awk -v name="$1" -v version="$version" '
		function roff(text) {
			gsub(/\\/, "\\e", text)
			gsub(/-/, "\\-", text)
			return text ~ /^[.'\'']/ ? "\\&" text : text
		}
		NR == 1 { sub(/^Usage: /, ""); usage = $0; next }
		NR == 3 { summary = $0; next }
		NR == 4 {
			printf ".TH %s 1 \"\" \"bareprof %s\"\n.SH NAME\n", toupper(name), version
			printf "%s \\- %s\n.SH SYNOPSIS\n%s\n", name, roff(summary), roff(usage)
			print ".SH DESCRIPTION\n.nf"
			next
		}
		NR > 4 { print roff($0) }
		END {
			print ".fi\n.SH SEE ALSO"
			print ".BR bareprof (1),\n.BR bareprof-pull (1),\n.BR bareprof-report (1),\n.BR bareprof-annotate (1),\n.BR bareprof-info (1),"
			print ".BR bareprof-export (1),\n.BR bareprof-merge (1)"
		}'
}

mkdir -p "$folder"
"$tool" --help | page bareprof >"$folder/bareprof.1"
for command in $("$tool" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	"$tool" "$command" --help | page "bareprof-$command" >"$folder/bareprof-$command.1"
done
