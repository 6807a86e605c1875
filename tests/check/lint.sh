#!/bin/bash
# SPDX-License-Identifier: MIT
# lint.sh FILE FLAG...: clang-tidy over one source, compiled with FLAG..., by the rules of .clang-tidy.
set -u
file=$1
shift
if clang-tidy --quiet --warnings-as-errors='*' "$file" -- "$@"; then
	echo "ok $file"
else
	echo "not ok $file: clang-tidy has something to say"
fi
