#!/bin/bash
# SPDX-License-Identifier: MIT
# The same build twice: `bareprof diff` reports false changes no more often than its confidence allows. Two hundred
# captures of one firmware at work differ as on a bench: each begins where the last one ended, has a random length, and
# finds other measurements in the same filters.
# Calls itself as `same.sh take SOURCE` while the firmware runs.
[[ ${1-} == take ]] && work_of=captures
source tests/emulated/support.sh
board=mps2-an385
elf=build/firmware/$board/ports+LIVE-1.elf

if [[ ${1-} == take ]]; then
	for ((i = 0; i < 200; i++)); do
		build/bareprof pull "$2" -e "$elf" -o "$work/$i.bprof" --reset --start \
			--wait "0.$(printf '%03d' $((50 + RANDOM % 120)))" --stop 2>"$work/errors" && continue
		cat "$work/errors"
		exit 1
	done
	exit 0
fi

if tests/qemu/run.sh "$board" "$elf" bash "$0" take 'gdb:127.0.0.1:{port}'; then
	perl tests/diff/same.pl "$elf" "$work/captures" || failures=$((failures + 1))
else
	not_ok "cannot take captures"
fi
exit $((failures != 0))
