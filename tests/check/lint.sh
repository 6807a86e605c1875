#!/bin/bash
# SPDX-License-Identifier: MIT
# lint.sh FILE FLAG...: clang-tidy over one source, compiled with FLAG..., by the rules of .clang-tidy, and clang-query by
# those of dialect.query. The analyser explores at most 75,000 states of a function, its own limit in shallow mode, instead
# of 225,000: a few long functions took most of the time.
set -u
file=$1
shift
if clang-tidy --quiet --warnings-as-errors='*' "$file" -- "$@" -Xclang -analyzer-config -Xclang max-nodes=75000; then
	echo "ok $file"
else
	echo "not ok $file: clang-tidy printed warnings"
fi
"$(dirname "$0")/dialect.sh" "$file" "$@"
