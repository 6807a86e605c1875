#!/bin/bash
# SPDX-License-Identifier: MIT
# summary.sh EXPECTED STATUS: adds up the results whose file names EXPECTED holds, lists the failures, ends with the
# line "N passed, N failed". A result that is not there has failed: it was not built or not run. STATUS is that
# of make; if it is not 0 although no check failed, something was not built.
set -u
[ -r "$1" ] || set -- /dev/null "$2"
exec awk -v RS='[ \n]+' -v status="$2" '
	function fail(text) {
		failures[++failed] = text
	}
	NF > 0 {
		name = substr($0, length("build/results/") + 1)
		result = $0
		RS = "\n"
		for (lines = 0; (getline line <result) > 0; lines++)
			if (line ~ /^ok /)
				passed++
			else if (line ~ /^not ok /)
				fail(name ": " substr(line, 8))
		RS = "[ \n]+"
		close(result)
		if (lines == 0)
			fail(name ": not built or not run, see above")
	}
	END {
		if (status != 0 && failed == 0)
			fail("build: make failed, see above")
		if (passed == 0 && failed == 0)
			fail("check: nothing was checked")
		for (i = 1; i <= failed; i++)
			print "FAILED " failures[i]
		print passed + 0 " passed, " failed + 0 " failed"
		exit failed > 0
	}' "$1"
