#!/bin/bash
# SPDX-License-Identifier: MIT
# The processor time that make takes when there is nothing to do, in proportion to a tree without build/, in which it reads
# the same rules and gives up at the first file. Prints `ok` or `not ok`.
set -eu
cd "$(dirname "$0")/../.."
limit=1.5
fresh=build/bench/make
rm -rf $fresh
mkdir -p $fresh
git ls-files -z | xargs -0 cp --parents -t $fresh 2>/dev/null || true
make -q build/bareprof || { echo "not ok make: build/bareprof is not up to date"; exit 1; }

# seconds FOLDER: of the fastest of 15 runs.
seconds() {
	for ((run = 0; run < 15; run++)); do
		TIMEFORMAT='%U %S'
		{ time make -q -C "$1" build/bareprof >/dev/null 2>&1; } 2>&1 || true
	done | awk '{ print $1 + $2 }' | sort -n | head -n 1
}

before=$(seconds $fresh) after=$(seconds .)
rm -rf $fresh
awk -v before="$before" -v after="$after" -v limit=$limit 'BEGIN {
	ratio = after / before
	printf "%s make with nothing to do: %.2f times a fresh tree, at most %.1f (%s s, %s s)\n", ratio <= limit ? "ok" : "not ok",
		ratio, limit, after, before
	exit ratio > limit
}'
