#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests of layers.sh: it must find the single violation in each of many small trees, and none in a tree without one.
set -u
layers=$PWD/tests/check/layers.sh
tree=$PWD/build/layers-selftest

# plant: creates a tree without a violation. Group high has its own files between folders first and last.
plant()
{
	rm -rf "$tree"
	mkdir -p "$tree"/host/{low,high/{first,last}} "$tree"/target "$tree"/include/bareprof
	printf '# comment\nlow:\nhigh: low | first . last # why\nmain.c: high\n' >"$tree/host/layers.txt"
	printf '#include <stdio.h>\n#include <bareprof/block.h>\n' >"$tree/host/low/low.h"
	printf '#include "high/first/first.h"\n' >"$tree/host/high/first/first.c"
	printf '#include "high/high.h"\n#include "low/low.h"\n#include "high/first/first.h"\n' >"$tree/host/high/high.c"
	printf '#include "low/low.h"\n#include "high/high.h"\n#include "high/first/first.h"\n' >"$tree/host/high/last/last.c"
	printf '\t# include "high/last/last.h" /* why */\n' >"$tree/host/main.c"
	printf '#include "table.h"\n#include <bareprof/block.h>\n' >"$tree/target/table.c"
	touch "$tree/target/table.h" "$tree/host/high/high.h" "$tree/host/high/first/first.h" "$tree/host/high/last/last.h"
}

# breach NAME FILE TEXT PATTERN: with TEXT added to FILE, layers.sh must report FILE with a message that matches PATTERN,
# and nothing else.
breach()
{
	local complaints
	plant
	mkdir -p "$(dirname "$tree/$2")"
	printf '%s\n' "$3" >>"$tree/$2"
	complaints=$("$layers" "$tree" | grep '^not ok')
	if grep -q "^not ok layers $2.*$4" <<<"$complaints" && [ "$(wc -l <<<"$complaints")" = 1 ]; then
		echo "ok finds $1"
	else
		echo "not ok finds $1: for '$3' in $2, layers.sh printed: ${complaints:-nothing}"
	fi
}

plant
if [ "$("$layers" "$tree" | grep -c '^ok')" = 2 ] && ! "$layers" "$tree" | grep '^not ok'; then
	echo "ok accepts a tree without a breach"
else
	echo "not ok accepts a tree without a breach: it complained or did not say ok twice"
fi
breach "an include of a higher group" host/low/low.c '#include "high/high.h"' 'may not include'
breach "an include of a higher group's folder" host/low/low.c '#include "high/first/first.h"' 'may not include'
breach "an include of a higher group written with blanks" host/low/low.c ' #  include  "high/high.h"' 'may not include'
breach "a file in host/ that skips a group" host/main.c '#include "low/low.h"' 'may not include'
breach "a folder including the group's own files after it" host/high/first/x.c '#include "high/high.h"' \
	'first of high may not include'
breach "a folder including a later folder" host/high/first/x.c '#include "high/last/last.h"' 'first of high may not include'
breach "the group's own files including a later folder" host/high/x.c '#include "high/last/last.h"' \
	'may not include "high/last'
breach "an include of an unknown folder" host/high/x.c '#include "high/bag/bag.h"' 'may not include'
breach "an include of an unknown group" host/high/x.c '#include "bag/bag.h"' 'may not include'
breach "an unknown folder" host/high/bag/bag.c '#include <stdio.h>' 'does not name folder bag'
breach "a folder in a group without folders" host/low/bag/bag.c '#include <stdio.h>' 'does not name folder bag'
breach "an unknown group" host/bag/bag.c '#include <stdio.h>' 'no line in'
breach "a header without its group" host/high/x.c '#include "high.h"' 'from host/'
breach "a path through the parent" host/high/x.c '#include "../low/low.h"' 'from host/'
breach "a path through the parent of a folder" host/high/x.c '#include "high/../low/low.h"' 'from host/'
breach "the host including the firmware's interface" host/low/x.c '#include <bareprof/bareprof.h>' 'for firmware'
breach "the target including the host" target/table.c '#include "low/low.h"' 'of the host'
breach "the target including the host by path" target/table.c '#include "../host/low/low.h"' 'of the host'
breach "an interface including the host" include/bareprof/x.h '#include <low/low.h>' 'of the host'

# rule NAME TEXT PATTERN: a line TEXT in place of the one for main.c.
rule()
{
	plant
	sed -i '/^main/d' "$tree/host/layers.txt"
	rm "$tree/host/main.c"
	printf '%s\n' "$2" >>"$tree/host/layers.txt"
	if "$layers" "$tree" | grep -q "^not ok layers host/layers.txt: $3"; then
		echo "ok finds $1"
	else
		echo "not ok finds $1: layers.sh found no fault in '$2'"
	fi
}

rule "a rule that names a later group" 'late: later' 'late names later, which has no line above'
rule "a rule that names its own group" 'late: late' 'late names late, which has no line above'
rule "a right that is not used" 'late: low' 'late may include low and does not'
rule "two rules for one group" 'high: low' 'high has two lines'
rule "a folder that is named twice" 'late: | a a' 'late names its folder a twice'
rule "a folder that does not exist" 'late: | early' 'folder early of late has no includes'
