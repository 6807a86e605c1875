#!/bin/bash
# SPDX-License-Identifier: MIT
# boards.sh FOLDER: the table of FOLDER/README.md has a row for each board and no other row, and says correctly which
# boards run in CI: those whose board.mk sets BOARD_QEMU or BOARD_EMULATOR.
set -u
cd "$1" || exit 1
bad=0

not_ok() {
	echo "not ok the table of boards: $*"
	bad=1
}

# Prints "BOARD TESTED" for each row, words of the last column joined by "-".
rows=$(awk -F ' *[|] *' '/^[|]/ && $2 != "board" && $2 !~ /^-/ { gsub(" ", "-", $8); print $2, $8 }' README.md)
[[ -n $rows ]] || not_ok "README.md has no rows"
for file in */board.mk; do
	board=${file%/*}
	expected=built-only
	grep -qE '^BOARD_(QEMU|EMULATOR) *:= *[^ ]' "$file" && expected=run-in-CI
	tested=$(awk -v board="$board" '$1 == board { print $2 }' <<<"$rows")
	[[ -n $tested ]] || not_ok "$board has no row"
	[[ -z $tested || $tested == "$expected" ]] || not_ok "$board is $expected, its row says $tested"
done
while read -r board _; do
	[[ -z $board || -f $board/board.mk ]] || not_ok "there is no board $board"
done <<<"$rows"
[[ $bad = 1 ]] || echo "ok the table of boards has all $(wc -l <<<"$rows")"
exit $bad
