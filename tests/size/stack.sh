#!/bin/bash
# SPDX-License-Identifier: MIT
# stack.sh BOARD REGISTERS.elf: the bytes below the stack pointer that a call of the -pg hook overwrites: lines
# `FIGURE BOARD NUMBER`.
#
#	stack-call   a known arc, found in its first slot
#	stack-most   any call
set -u
cd "$(dirname "$0")/../.." || exit 1
console=$(mktemp) || exit 1
trap 'rm -f "$console"' EXIT
if ! tests/qemu/run.sh --timeout 300 --console "$console" "$1" "$2"; then
	grep '^not ok' "$console" >&2
	exit 1
fi
awk -v board="$1" '
	/^# stack [0-9]+ bytes: (__gnu)?_mcount/ {
		if ($3 > most)
			most = $3
		if (/: [a-z_]+, call of a known arc/)
			known = $3
	}
	END {
		if (known == "" || most == "")
			exit 1
		print "stack-call", board, known
		print "stack-most", board, most
	}' "$console"
