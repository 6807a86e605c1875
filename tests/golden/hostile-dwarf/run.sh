#!/bin/bash
# SPDX-License-Identifier: MIT
# Each command that reads DWARF, on each kind of hostile.s in 700 KB: within 10 s of CPU time and 300 MB of memory. Prints
# their messages about the line information.
set -u
commands=("report --inlines" "annotate" "export json" "gprof -l" "info" "diff")

# In a subshell, for the sake of its limits.
limit()
(
	ulimit -t 10
	# The sanitizers reserve address space without end.
	[[ $BAREPROF == */sanitize/* ]] || ulimit -v 307200
	"$@"
)

run()
{
	local command=$1 status
	case $command in
	# The new build does not have the function c, which might have been inlined.
	diff) limit "$BAREPROF" diff five.elf:five.bprof hostile.elf:five.bprof ;;
	info) limit "$BAREPROF" info five.bprof hostile.elf ;;
	*) limit "$BAREPROF" $command hostile.elf five.bprof ;;
	esac >out 2>error
	status=$?
	sed -n "s/^note: hostile.elf: line/  $command: line/p" error
	[ $status = 0 ] || { echo "  $command: exit status $status" && cat error; }
}

sh ../inputs/build.sh five || exit 1
sed -n '/^$/q; s/^	.set \([A-Z_0-9]*\), \([0-9]*\)$/\1 \2/p' hostile.s | while read -r name kind; do
	echo "$name"
	arm-none-eabi-as --defsym KIND="$kind" --defsym SIZE=700000 hostile.s -o hostile.o &&
		arm-none-eabi-ld -Ttext=0x8000 -e start hostile.o -o hostile.elf &&
		arm-none-eabi-objcopy --redefine-sym c=d hostile.elf || exit 1
	for command in "${commands[@]}"; do
		run "$command"
	done
done
