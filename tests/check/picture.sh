#!/bin/bash
# SPDX-License-Identifier: MIT
# picture.sh DRAWN PICTURE: the picture of the documentation is as it is drawn now, byte for byte, or, if it is a screenshot (PNG),
# with the same size; and a page shows it.
set -u
drawn=$1
picture=$2

# Width and height are the 8 bytes after the first 16 (PNG, 5.6 and 11.2.2).
size_of() { od -A n -t x1 -j 16 -N 8 "$1"; }

if [[ $picture == *.png ]]; then
	if [[ $(size_of "$drawn") == "$(size_of "$picture")" ]]; then
		echo "ok $picture has the size of its window"
	else
		echo "not ok $picture has the size of its window: make pictures draws it"
	fi
elif difference=$(diff "$drawn" "$picture" 2>&1); then
	echo "ok $picture is up to date"
else
	echo "not ok $picture is up to date: make pictures draws it; the first line that differs: $(sed -n 2p <<<"$difference")"
fi
if grep -qF "](${picture#docs/})" docs/*.md || grep -qF "]($picture)" README.md; then
	echo "ok a page shows $picture"
else
	echo "not ok a page shows $picture: none has ](${picture#docs/})"
fi
