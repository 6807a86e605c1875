#!/bin/bash
# SPDX-License-Identifier: MIT
# record.sh RESULT COMMAND [ARGUMENT]...: runs one check and writes its findings, a line per test case, to RESULT: "ok
# NAME" or "not ok NAME: why". The check prints such lines itself, or TAP as cmocka does; all its output is kept in
# RESULT.log, and its seconds (elapsed, user, system) in RESULT.time. A check that fails, hangs, stops half-way or prints
# nothing gets an additional failure. Always succeeds: summary.sh decides.
set -u
result=$1
shift
limit=${CHECK_TIMEOUT:-600}
[[ -d ${result%/*} ]] || mkdir -p "${result%/*}"

TIMEFORMAT='%R %U %S'
{ time timeout --kill-after=10 "$limit" "$@" >"$result.log" 2>&1 </dev/null; } 2>"$result.time"
status=$?

# Few processes, because there are thousands of checks.
exec awk -v status=$status -v limit="$limit" -v result="$result" '
	function find(line) {
		findings[++count] = line
		failed += line ~ /^not ok/
	}
	{ last[NR % 40] = $0 }
	/^1\.\.[0-9]+$/ { planned += substr($0, 4); next }
	/^(not )?ok / {
		if ($0 ~ /^(not )?ok [0-9]+ -? ?/)
			tap++
		sub(/ok [0-9]+ (- )?/, "ok ")
		find($0)
	}
	END {
		if (status == 124 || status == 137)
			find("not ok run: not done after " limit " seconds")
		else if (planned > tap)
			find(sprintf("not ok run: %d of %d tests ran, exit status %d", tap, planned, status))
		else if (status != 0 && failed == 0)
			find("not ok run: exit status " status)
		else if (count == 0)
			find("not ok run: nothing was checked")
		for (i = 1; i <= count; i++)
			print findings[i] >result
		name = substr(result, length("build/results/") + 1)
		if (failed == 0) {
			print name ": " count " ok"
			exit
		}
		print name ": FAILED, the end of " result ".log:"
		for (i = NR > 40 ? NR - 39 : 1; i <= NR; i++)
			print "    " last[i % 40]
	}' "$result.log"
