#!/bin/bash
# SPDX-License-Identifier: MIT
# lists.sh NAME FOLDER PATTERN LISTED...: checks that the build lists every file of FOLDER that matches PATTERN.
set -u
name=$1
folder=$2
pattern=$3
shift 3
forgotten=0
while read -r file; do
	for listed; do
		[ "$file" != "$listed" ] || continue 2
	done
	echo "not ok $name: $file is in no .mk file"
	forgotten=1
done < <(find "$folder" -name "$pattern" | sort)
[ $forgotten = 1 ] || echo "ok $name: all $# files are listed"
