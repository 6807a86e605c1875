#!/bin/bash
# SPDX-License-Identifier: MIT
# lint.sh FILE FLAG...: clang-tidy over one source, compiled with FLAG..., by the rules of .clang-tidy, and clang-query by
# those of dialect.query.
set -u
file=$1
shift
if clang-tidy --quiet --warnings-as-errors='*' "$file" -- "$@"; then
	echo "ok $file"
else
	echo "not ok $file: clang-tidy printed warnings"
fi
"$(dirname "$0")/dialect.sh" "$file" "$@"
