#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests of circles.sh on small trees of C files.
set -u
circles=$PWD/tests/check/circles.sh
tree=$PWD/build/circles-selftest
output=

# plant NAME TEXT...: a new tree with a file NAME.c for each TEXT, compiled.
plant()
{
	rm -rf "$tree"
	mkdir -p "$tree"/{host/a,objects/a,tests/check}
	cd "$tree" || exit 1
	while [ $# -gt 0 ]; do
		echo "$2" >"host/a/$1.c"
		${CC:-cc} -c "host/a/$1.c" -o "objects/a/$1.o" || exit 1
		shift 2
	done
}

# run PATTERN NAME: the test NAME passes if a line that circles.sh prints matches PATTERN.
run()
{
	output=$("$circles" host objects)
	if grep -qE "^$1$" <<<"$output"; then
		echo "ok $2"
	else
		echo "not ok $2: printed: ${output:-nothing}"
	fi
}

plant one 'int two(void); int one(void) { return two(); }' two 'int three; int two(void) { return three; }'
run "ok circles: 2 files of host" "accepts a chain"

plant one 'static int same(void) { return 1; } int one(int n) { return n ? one(n - 1) : same(); }' \
	two 'int one(int); static int same(void) { return 2; } int two(void) { return one(same()); }'
run "ok circles: 2 files of host" "accepts recursion in one file and static functions of one name"

calls=(one 'int two(void); int one(void) { return two(); }' two 'int one(void); int two(void) { return one(); }')
plant "${calls[@]}"
run "not ok circle of 2 files: host/a/one.c host/a/two.c" "finds two files that call each other"
run "    host/a/one.c uses two of host/a/two.c" "prints the symbols of a circle"

plant one 'extern int (*const table[])(void); int one(void) { return table[0](); }' \
	two 'int three(void); int (*const table[])(void) = {three};' three 'int one(void); int three(void) { return one(); }'
run "not ok circle of 3 files: host/a/one.c host/a/three.c host/a/two.c" "finds a circle through a table of functions"

plant "${calls[@]}"
rm host/a/two.c
run "ok circles: 1 files of host" "ignores the object of a removed source"

plant
output=$("$circles" host objects)
[ -z "$output" ] && echo "ok prints nothing without objects" || echo "not ok prints nothing without objects: $output"
