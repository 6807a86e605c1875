#!/bin/bash
# SPDX-License-Identifier: MIT
# format.sh check|write: every C file of the tree against .clang-format, blank lines after declarations and, on check, the
# licence tag in the first lines, the lists of pages, and the scripts of golden tests. Without git (a release archive) every
# file outside build/ counts.
set -u
mode=$1
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	files=$(git ls-files --cached --others --exclude-standard)
else
	files=$(find . -path ./build -prune -o -type f -print | sed 's|^\./||')
fi
existing() { while read -r file; do [ ! -f "$file" ] || echo "$file"; done; }
c_files=$(grep -E '\.([ch]|cpp)$' <<<"$files" | existing)
# Sources in golden tests keep their lines, which are in the expected output.
separated=$(grep -v '^tests/golden/' <<<"$c_files")
sources=$(grep -E '\.([chS]|cpp|sh|css|js)$' <<<"$files" | existing)

if [ "$mode" = write ]; then
	perl tests/check/blank_lines.pl --write $separated
	exec clang-format -i $c_files
fi

# Many files per clang-format: it takes longer to start than to read a file.
complaints=$(xargs -n 40 -P "$(nproc)" clang-format --dry-run -Werror --ferror-limit=3 <<<"$c_files" 2>&1)
status=$?
misformatted=$(sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error: .*/\1/p' <<<"$complaints" | sort -u)
[ -z "$complaints" ] || echo "$complaints"
for file in $misformatted; do
	echo "not ok format of $file: make format fixes it"
done
[ $status = 0 ] && echo "ok format of $(wc -w <<<"$c_files") C files"
[ $status = 0 ] || [ -n "$misformatted" ] || echo "not ok format of C files: clang-format failed, see above"

if perl tests/check/blank_lines.pl $separated; then
	echo "ok blank lines after declarations"
else
	echo "not ok blank lines after declarations: make format adds them"
fi

if perl tests/check/page_lists.pl $(grep '\.md$' <<<"$files" | existing); then
	echo "ok lists of pages"
else
	echo "not ok lists of pages: see above"
fi

if awk 'FNR == 1 && !/^# .*[.]$/ { print FILENAME ": the first line is not a sentence that says what the test shows"; bad = 1 }
	length > 120 { print FILENAME ":" FNR ": more than 120 characters"; bad = 1 }
	END { exit bad }' /dev/null $(grep -E '^tests/golden/[^/]+/command$' <<<"$files" | existing); then
	echo "ok scripts of golden tests"
else
	echo "not ok scripts of golden tests: see above"
fi

tagged=$(awk 'FNR <= 2 && /SPDX-License-Identifier: MIT/ { print FILENAME } FNR == 2 { nextfile }' $sources)
untagged=$(comm -23 <(sort <<<"$sources") <(sort <<<"$tagged"))
for file in $untagged; do
	echo "not ok licence tag of $file: no SPDX-License-Identifier: MIT in its first two lines"
done
[ -n "$untagged" ] || echo "ok licence tag of $(wc -w <<<"$sources") sources"
