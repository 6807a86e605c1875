#!/bin/bash
# SPDX-License-Identifier: MIT
# Small trees that break one rule each: layers.sh must find every breach, and none in the tree that breaks none.
set -u
layers=$PWD/tests/check/layers.sh
tree=$PWD/build/layers-selftest

# plant: a fresh tree that obeys.
plant()
{
	rm -rf "$tree"
	mkdir -p "$tree"/host/{low,high} "$tree"/target "$tree"/include/bareprof
	printf '# comment\nlow:\nhigh: low # why\nmain.c: high\n' >"$tree/host/layers.txt"
	printf '#include <stdio.h>\n#include <bareprof/block.h>\n' >"$tree/host/low/low.h"
	printf '#include "high/high.h"\n#include "low/low.h"\n' >"$tree/host/high/high.c"
	printf '\t# include "high/high.h" /* why */\n' >"$tree/host/main.c"
	printf '#include "table.h"\n#include <bareprof/block.h>\n' >"$tree/target/table.c"
	touch "$tree/target/table.h" "$tree/host/high/high.h"
}

# breach NAME FILE TEXT PATTERN: TEXT added to FILE must make layers.sh complain in the words of PATTERN.
breach()
{
	plant
	mkdir -p "$(dirname "$tree/$2")"
	printf '%s\n' "$3" >>"$tree/$2"
	if "$layers" "$tree" | grep -q "^not ok layers $2.*$4"; then
		echo "ok finds $1"
	else
		echo "not ok finds $1: layers.sh saw nothing wrong in '$3' of $2"
	fi
}

plant
if [ "$("$layers" "$tree" | grep -c '^ok')" = 2 ] && ! "$layers" "$tree" | grep '^not ok'; then
	echo "ok accepts a tree that obeys"
else
	echo "not ok accepts a tree that obeys: it complained or said too little"
fi
breach "an include upwards" host/low/low.c '#include "high/high.h"' 'may not include'
breach "an include upwards written with blanks" host/low/low.c ' #  include  "high/high.h"' 'may not include'
breach "a file in host/ that skips a layer" host/main.c '#include "low/low.h"' 'may not include'
breach "an unknown folder" host/bag/bag.c '#include <stdio.h>' 'no line in'
breach "an include of an unknown folder" host/high/x.c '#include "bag/bag.h"' 'may not include'
breach "a header without its folder" host/high/x.c '#include "high.h"' 'folder/header.h'
breach "a path through the parent" host/high/x.c '#include "../low/low.h"' 'folder/header.h'
breach "the host including the firmware's interface" host/low/x.c '#include <bareprof/bareprof.h>' 'for firmware'
breach "the target including the host" target/table.c '#include "low/low.h"' 'of the host'
breach "the target including the host by path" target/table.c '#include "../host/low/low.h"' 'of the host'
breach "an interface including the host" include/bareprof/x.h '#include <low/low.h>' 'of the host'
breach "a rule that points upwards" host/layers.txt 'late: later' 'no line above'
breach "a right that is not used" host/layers.txt 'late: low' 'does not'
breach "two rules for one folder" host/layers.txt 'high: low' 'two lines'
