#!/bin/bash
# SPDX-License-Identifier: MIT
# repeat.sh EXPECTED MAKE [ARGUMENT]...: repeats checks that failed, one after the other, if they are few: next to others on a
# busy computer an emulator or a probe's model can be too slow for a time-out that users need. A defect fails again. The
# first failures are printed, and kept with their output in RESULT.first and RESULT.first.log. EXPECTED is that of summary.sh.
set -u
mapfile -t failed < <(tr ' ' '\n' <"$1" | xargs -r grep -ls '^not ok ')
shift
few=5
[[ ${#failed[@]} -gt 0 && ${#failed[@]} -le $few ]] || exit 0
for result in "${failed[@]}"; do
	sed -n "s|^not ok |REPEATED ${result#build/results/}: |p" "$result"
	mv "$result" "$result.first"
	mv "$result.log" "$result.first.log"
done
"$@" -k "${failed[@]}"
