#!/bin/bash
# SPDX-License-Identifier: MIT
# times.sh: seconds of the last run of each suite, as record.sh measured them, and the checks that took longest. Standard
# input has a line "SUITE RESULT" per check. Building what a check runs is not included.
set -u

while read -r suite result; do
	[ ! -f "$result.time" ] || echo "$suite ${result#build/results/} $(tail -n 1 "$result.time")"
done | awk '
	{
		if (!($1 in checks))
			suites[++count] = $1
		checks[$1]++
		processor[$1] += $4 + $5
		elapsed[$1] += $3
		if ($3 >= longest[$1]) {
			longest[$1] = $3
			slowest[$1] = $2
		}
	}
	END {
		if (count == 0) {
			print "suite-times: no suite has run: make check"
			exit 1
		}
		print "| suite | checks | processor s | elapsed s, one after the other | longest check | s |"
		print "|---|---|---|---|---|---|"
		for (i = 1; i <= count; i++) {
			suite = suites[i]
			printf "| `%s` | %d | %.1f | %.1f | %s | %.1f |\n", suite, checks[suite], processor[suite], elapsed[suite],
				slowest[suite], longest[suite]
			all_processor += processor[suite]
			all_elapsed += elapsed[suite]
		}
		printf "| all | | %.1f | %.1f | | |\n", all_processor, all_elapsed
	}'
