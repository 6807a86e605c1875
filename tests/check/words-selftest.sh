#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests of words.sh: where it looks for phrases, and what it leaves alone.
set -u
words=$PWD/tests/check/words.sh
tree=$PWD/build/words-selftest
rm -rf "$tree"
mkdir -p "$tree"/{tests/check,tests/unit,host,docs}
cd "$tree" || exit 1
git init -q .
{
	printf 'text\tgrue|grues\tbear\n'
	printf 'comment\t^what\tthe noun\n'
	printf 'text\tvery old house\tmanor\n'
	printf 'code\tfrob\tset\n'
	printf 'allow host/*.c\t"grue.?"\tkey\n'
} >tests/check/words.txt

# finds LINE PHRASE FILE TEXT NAME; LINE 0: nothing.
finds()
{
	local found
	printf '%b' "$4" >"$3"
	found=$("$words" "$3")
	if [ "$1" = 0 ] && [[ $found == ok* ]] || [[ $found == "$3:$1: $2: "* ]]; then
		echo "ok $5"
	else
		echo "not ok $5: printed: $found"
	fi
	rm "$3"
}

finds 2 grue host/a.c 'int x;\n/* A grue. */\n' "reads comments of C"
finds 1 Grues host/a.c 'int x; // Grues\n' "reads line comments of C, in any case"
finds 2 "very old house" host/a.c '/* A\n * very old\n * house. */\n' "reads phrases over the ends of lines"
finds 3 What host/a.c '/* A.\n *\n * What it is. */\n' "takes a paragraph of a comment for a comment"
finds 0 - host/a.c '/* So what. */\n' "binds ^ to the beginning of a comment"
finds 1 grue host/a.c 'puts("a grue\\n");\n' "reads strings of C"
finds 1 "very old house" host/a.c 'puts("a very "\n"old house");\n' "joins strings"
finds 0 - host/a.c '#include "grue.h"\nint grue_size, agrue;\n' "leaves names and headers to rules of scope code"
finds 1 frob host/a.c 'int frob_size;\n' "reads words of names"
finds 1 frob host/frob_all.h 'int size;\n' "reads names of files"
finds 0 - host/a.c 'puts("frob"); /* frob */\n' "keeps scopes apart"
finds 1 grue tests/unit/a.c 'TEST(grue_is_fed)\n{\n' "reads names of unit tests"
finds 2 grue docs/a.md '# A\nThe grue.\n' "reads pages"
finds 1 Grues docs/a.md '# Grues\nA bear.\n' "reads headings"
finds 0 - docs/a.md '    a grue\n\n```\ngrue\n```\n`grue`\n' "leaves code in pages alone"
finds 2 grue host/a.sh 'true\n# A grue.\n' "reads comments of scripts"
finds 1 grue host/a.sh 'echo "a grue"\n' "reads strings of scripts"
finds 1 grue host/a.mk 'all: x ## Feed the grue\n' "reads help of make"
finds 0 - host/a.c 'puts("\\"grue\\"");\nputs("a \\"grue\\": 1");\n' "obeys exceptions"
finds 2 grue host/a.c 'puts("\\"grue\\"");\nputs("grue");\n' "limits exceptions to what they match"
