#!/bin/bash
# SPDX-License-Identifier: MIT
# format.sh check|write: every C file of the tree against .clang-format and, on check, the licence tag in its first
# lines. Without git (a release archive) every file outside build/ counts.
set -u
mode=$1
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	files=$(git ls-files --cached --others --exclude-standard)
else
	files=$(find . -path ./build -prune -o -type f -print | sed 's|^\./||')
fi
existing() { while read -r file; do [ ! -f "$file" ] || echo "$file"; done; }
c_files=$(grep -E '\.([ch]|cpp)$' <<<"$files" | existing)
sources=$(grep -E '\.([chS]|cpp|sh|css|js)$' <<<"$files" | existing)

if [ "$mode" = write ]; then
	exec clang-format -i $c_files
fi

failed=0
for file in $c_files; do
	clang-format --dry-run -Werror --ferror-limit=3 "$file" || { echo "not ok format of $file: make format fixes it"; failed=1; }
done
[ $failed = 1 ] || echo "ok format of $(wc -w <<<"$c_files") C files"

untagged=$(for file in $sources; do
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: MIT' || echo "$file"
done)
for file in $untagged; do
	echo "not ok licence tag of $file: no SPDX-License-Identifier: MIT in its first two lines"
done
[ -n "$untagged" ] || echo "ok licence tag of $(wc -w <<<"$sources") sources"
