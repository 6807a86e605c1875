#!/bin/bash
# SPDX-License-Identifier: MIT
# The first table of docs/MISRA.md names the rules that the MISRA addon of cppcheck reports for the drop-in files.
set -u

# reported PLATFORM MACRO...: the rules, one to a line.
reported() {
	cppcheck --addon=misra --enable=style --std=c11 --platform="$1" "${@:2}" -D__GNUC__=12 -D__BYTE_ORDER__=1234 \
		-D__ORDER_LITTLE_ENDIAN__=1234 -Ibuild/drop-in build/drop-in/bareprof.c 2>&1 |
		sed -n 's/.*\[misra-c2012-\([0-9.]*\)\]$/\1/p'
}

listed=$(sed -n '/^## Found/,/^## Not/s/^| \([0-9][0-9., ]*\) |.*/\1/p' docs/MISRA.md | tr -s ', ' '\n' | sort)
found=$({
	reported arm32-wchar_t4 -D__arm__ -D__thumb2__ -D__ARM_ARCH=7 -D__ARM_ARCH_7M__
	reported unix32 -D__riscv -D__riscv_xlen=32
} | sort -u)
if [[ -n $found && $found == "$listed" ]]; then
	echo "ok $(wc -l <<<"$found") rules are those of docs/MISRA.md"
	exit 0
fi
echo "not ok docs/MISRA.md: only reported: $(comm -23 <(echo "$found") <(echo "$listed") | tr '\n' ' ')," \
	"only on the page: $(comm -13 <(echo "$found") <(echo "$listed") | tr '\n' ' ')"
exit 1
