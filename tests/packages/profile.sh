#!/bin/bash
# SPDX-License-Identifier: MIT
# profile.sh ELF OUTPUT CALLEE FACTOR CALLER: pulls from QEMU (run.sh sets GDB_PORT) until CALLER was called 100 times,
# at most for a minute, and checks the profile by calls.py. Before bareprof_init() there is nothing to pull.
set -u
elf=$1 output=$2
shift 2
deadline=$((SECONDS + 60)) status=2
while ((status == 2 && SECONDS < deadline)); do
	if build/bareprof pull "gdb:127.0.0.1:$GDB_PORT" -e "$elf" -o "$output.bprof" >&2 &&
		build/bareprof export json "$elf" "$output.bprof" >"$output.json"; then
		/usr/bin/python3 tests/packages/calls.py "$output.json" "$@"
		status=$?
	fi
done
exit $status
