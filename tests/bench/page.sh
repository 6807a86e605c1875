#!/bin/bash
# SPDX-License-Identifier: MIT
# Milliseconds that the page of a large profile takes for each thing that a reader does, in Chromium: 20,000 functions with 60,000
# arcs, where 100 ms are allowed. Of three times the shortest counts. Also the size of a page without its data, where 300 KB are.
set -eu
cd "$(dirname "$0")/../.."
folder=$PWD/build/bench/page
mkdir -p "$folder"
. tests/browser/browse.sh

build/bareprof report --html="$folder/page.html" build/page/input/large.elf build/page/input/large.bprof >/dev/null
{
	grep -v 'http-equiv="Content-Security-Policy"' "$folder/page.html"
	echo '<script>'
	cat tests/bench/page.js
	echo '</script>'
} >"$folder/timed.html"
own=$(sed '/^<script id="data"/d; /^<pre/,/<\/pre>/d' "$folder/page.html" | wc -c)
printf '\nA page without its data has %d bytes\n\n' "$own"
browse "$folder/timed.html" --dump-dom --window-size=1400,1000 | grep -E ' ms$' >"$folder/times" ||
	{ cat "$folder/messages" >&2; exit 1; }
cat "$folder/times"
awk -v own="$own" '{ slow += $(NF - 1) > 100 } END {
	failed = slow || own > 300000
	print(failed ? "not ok: more than 100 ms, or 300 KB" : "ok: at most 100 ms, and 300 KB")
	exit failed
}' "$folder/times"
