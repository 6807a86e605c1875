#!/bin/bash
# SPDX-License-Identifier: MIT
# picture.sh DRAWN PICTURE: the picture of the documentation is as it is drawn now, byte for byte, and a page shows it.
set -u
drawn=$1
picture=$2

if difference=$(diff "$drawn" "$picture" 2>&1); then
	echo "ok $picture is up to date"
else
	echo "not ok $picture is up to date: make pictures draws it; the first line that differs: $(sed -n 2p <<<"$difference")"
fi
if grep -qF "](${picture#docs/})" docs/*.md || grep -qF "]($picture)" README.md; then
	echo "ok a page shows $picture"
else
	echo "not ok a page shows $picture: none has ](${picture#docs/})"
fi
