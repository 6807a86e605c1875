#!/bin/bash
# SPDX-License-Identifier: MIT
# docs/TUTORIAL.md is typed as it is written, in a tree of links to this one with a copy of docs/tutorial/. type.pl states how
# what it shows and what is printed are compared. The session is left in $work/session.txt.
source tests/emulated/support.sh
unset MAKEFLAGS MFLAGS MAKELEVEL
page=docs/TUTORIAL.md tree=$PWD/$work/tree

mkdir -p "$tree/docs"
for entry in * docs/*; do
	[[ $entry == docs || $entry == docs/tutorial ]] || ln -s "$PWD/$entry" "$tree/$entry"
done
git ls-files -z docs/tutorial | xargs -0 cp --parents -t "$tree"

perl tests/tutorial/type.pl "$page" "$tree" "$work/session.txt" || failures=1

name="the page takes ten minutes to read: at most 2,000 words"
words=$(grep -v '^    ' "$page" | wc -w)
if ((words <= 2000)); then
	ok "$name"
else
	not_ok "$name: $words"
fi
name="README.md leads to the page, and the page to every source of the firmware"
missing=$(grep -LF '](docs/TUTORIAL.md)' README.md; git ls-files 'docs/tutorial/*.[ch]' | while read -r file; do
	grep -qF "](tutorial/${file##*/})" "$page" || echo "${file##*/}"
done)
if [[ -z $missing ]]; then
	ok "$name"
else
	not_ok "$name: not so ${missing//$'\n'/ }"
fi
exit $((failures != 0))
