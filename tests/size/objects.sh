#!/bin/bash
# SPDX-License-Identifier: MIT
# objects.sh ARCHIVE...: bytes of each object of the target library, per archive, and their sum. A firmware links only
# the objects that it uses.
set -u
for archive; do
	size "$archive" | awk -v folder="$(basename "$(dirname "$archive")")" '
		NR == 1 {
			printf "%-24s %-16s %7s %7s %7s\n", folder, "object", "text", "data", "bss"
			next
		}
		{
			printf "%-24s %-16s %7d %7d %7d\n", "", $6, $1, $2, $3
			text += $1; data += $2; bss += $3
		}
		END { printf "%-24s %-16s %7d %7d %7d\n\n", "", "all", text, data, bss }'
done
