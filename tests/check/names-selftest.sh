#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests of names.sh: each measure fails beyond its limit, and holds at it.
set -u
names=$PWD/tests/check/names.sh
tree=$PWD/build/names-selftest
rm -rf "$tree"
mkdir -p "$tree"
cd "$tree" || exit 1

# judges ok|'not ok' MEASURE NAME: the judgement of a measure, of the tree that the test before it wrote.
judges() {
	local found
	found=$("$names" "$tree" | grep -E "^(not )?ok .*$2")
	if [[ $found == "$1 "* ]]; then
		echo "ok $3"
	else
		echo "not ok $3: printed: $found"
	fi
	rm -f ./*.c
}

# functions N FILE PREFIX: N functions with different names.
functions() {
	for ((i = 0; i < $1; i++)); do
		printf 'static int %s_%s(void)\n{\n\treturn 0;\n}\n' "$3" "$(printf '%03d' "$i" | tr 0-9 a-j)"
	done >>"$2"
}

both() {
	tee a.c >b.c
}

echo 'static int read_word(void) { return 0; }' | both
functions 18 a.c other
judges ok 'share their name' "a tenth of the functions may share names"
echo 'static int read_word(void) { return 0; }' | both
functions 17 a.c other
judges 'not ok' 'share their name' "more may not"
for ((i = 0; i < 100; i++)); do
	printf 'static int %s(void)\n{\n\treturn 0;\n}\n' "$(printf 'read%03d' "$i" | tr 0-9 a-j)"
done >a.c
cp a.c kept
judges ok 'name of one word' "100 names of one word are allowed"
mv kept a.c
echo 'int write(void) { return 0; }' >>a.c
judges 'not ok' 'name of one word' "101 are not"
echo 'struct place { int line; };' | both
judges 'not ok' 'tags of structs' "two structs may not have one tag"
printf 'struct place;\nint of_place(struct place *place);\n' | tee a.c | sed '1s/;/ { int line; };/' >b.c
judges ok 'tags of structs' "a declaration is not a second definition"
echo 'int read_word_of_word(void) { return 0; }' >a.c
judges 'not ok' 'repeat a word' "a name may not repeat a word"
echo 'int read_word2(void) { return 0; }' >a.c
judges 'not ok' 'end in a number' "a name may not end in a number"
echo 'int read_crc32(void) { return 0; }' >a.c
judges ok 'end in a number' "a width is allowed"
functions 3 a.c a_name_that_is_long
judges 'not ok' 'median length' "the median length is limited"
