#!/bin/bash
# SPDX-License-Identifier: MIT
# dialect.sh FILE FLAG...: checks one source, compiled with FLAG..., by the rules of dialect.query.
set -u
file=$1
shift
output=$(clang-query -f "$(dirname "$0")/dialect.query" "$file" -- "$@" 2>&1)
if grep -q 'error:\|Error ' <<<"$output" || ! grep -q 'match' <<<"$output"; then
	echo "$output"
	echo "not ok dialect of $file: clang-query failed"
elif grep -q 'binds here' <<<"$output"; then
	sed -nE "s|^$PWD/||; s/^([^ ]*:[0-9]+):[0-9]+: note: \"(.*)\" binds here/\1: \2/p" <<<"$output"
	echo "not ok dialect of $file: conditions without comparison"
else
	echo "ok dialect of $file"
fi
