#!/bin/bash
# SPDX-License-Identifier: MIT
# words.sh [--count|--folders] [PATH...]: phrases of tests/check/words.txt in the comments, messages, names and pages of
# PATH, by default of the whole tree. --count counts them by rule, --folders by folder. Fails if it finds one.
set -u
options=()
while [[ ${1-} == --* ]]; do
	options+=("$1")
	shift
done
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	git ls-files --cached --others --exclude-standard -- "$@"
else
	find "${@:-.}" -path ./build -prune -o -type f -print | sed 's|^\./||'
fi | perl "$(dirname "$0")/words.pl" tests/check/words.txt "${options[@]}"
