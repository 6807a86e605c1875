#!/bin/bash
# SPDX-License-Identifier: MIT
# record.sh RESULT COMMAND [ARGUMENT]...: runs one check and writes its findings, a line per test case, to RESULT: "ok
# NAME" or "not ok NAME: why". The check prints such lines itself, or TAP as cmocka does; all its output is kept in
# RESULT.log, and its seconds (elapsed, user, system) in RESULT.time. A check that fails, hangs, stops half-way or prints
# nothing gets an additional failure. Always succeeds: summary.sh decides.
set -u
result=$1
shift
name=${result#build/results/}
limit=${CHECK_TIMEOUT:-600}
mkdir -p "$(dirname "$result")"

TIMEFORMAT='%R %U %S'
{ time timeout --kill-after=10 "$limit" "$@" >"$result.log" 2>&1 </dev/null; } 2>"$result.time"
status=$?

awk -v status=$status -v limit="$limit" '
	/^1\.\.[0-9]+$/ { planned += substr($0, 4); next }
	/^(not )?ok / {
		if ($0 ~ /^(not )?ok [0-9]+ -? ?/)
			tap++
		sub(/ok [0-9]+ (- )?/, "ok ")
		seen++
		failed += /^not /
		print
	}
	END {
		if (status == 124 || status == 137)
			print "not ok run: not done after " limit " seconds"
		else if (planned > tap)
			printf "not ok run: %d of %d tests ran, exit status %d\n", tap, planned, status
		else if (status != 0 && failed == 0)
			print "not ok run: exit status " status
		else if (seen == 0)
			print "not ok run: nothing was checked"
	}' "$result.log" >"$result.part"
mv "$result.part" "$result"

if grep -q '^not ok' "$result"; then
	echo "$name: FAILED, the end of $result.log:"
	tail -n 40 "$result.log" | sed 's/^/    /'
else
	echo "$name: $(wc -l <"$result") ok"
fi
