#!/bin/bash
# SPDX-License-Identifier: MIT
# summary.sh EXPECTED STATUS: adds up the results whose file names EXPECTED holds, lists the failures, ends with the
# line "N passed, N failed". A result that is not there has failed: it was not built or not run. STATUS is that
# of make; if it is not 0 although no check failed, something was not built.
set -u
expected=$1
status=$2
passed=0
failures=()

while read -r result; do
	name=${result#build/results/}
	if [ ! -f "$result" ]; then
		failures+=("$name: not built or not run, see above")
		continue
	fi
	passed=$((passed + $(grep -c '^ok ' "$result")))
	while read -r line; do
		failures+=("$name: ${line#not ok }")
	done < <(grep '^not ok ' "$result")
done < <(tr ' ' '\n' <"$expected" | grep .)

[ "$status" = 0 ] || [ ${#failures[@]} -gt 0 ] || failures+=("build: make failed, see above")
[ "$passed" -gt 0 ] || [ ${#failures[@]} -gt 0 ] || failures+=("check: nothing was checked")
[ ${#failures[@]} = 0 ] || printf 'FAILED %s\n' "${failures[@]}"
echo "$passed passed, ${#failures[@]} failed"
[ ${#failures[@]} = 0 ]
