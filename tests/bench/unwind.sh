#!/bin/bash
# SPDX-License-Identifier: MIT
# Time to compile the frame information of newlib and to unwind a million stacks of its calls, in processor time. The
# program compares each path with the calls that made its stack.
set -eu
cd "$(dirname "$0")/../.."
build/bench/unwind build/calls/newlib-cortex-m3.elf | awk '
	BEGIN {
		title["unwind-compile"] = "compiling frame information, ms per 50 KB of code"
		title["unwind-million"] = "unwinding a million stacks, s"
		maximum["unwind-compile"] = 10
		maximum["unwind-million"] = 2
		print ""
	}
	$1 in maximum {
		holds = $3 <= maximum[$1]
		printf "%s %s: %.2f, at most %d\n", holds ? "ok" : "not ok", title[$1], $3, maximum[$1]
		failed += !holds
		measured++
	}
	END { exit failed || measured != 2 }'
