#!/bin/bash
# SPDX-License-Identifier: MIT
# processes.sh COMMAND [ARGUMENT]...: runs a command, then prints the number of processes that it and they started, threads
# not included. Needs strace.
set -u
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
strace -f --seccomp-bpf -qq -e signal=none -e trace=fork,vfork,clone,clone3 -o "$log" "$@"
status=$?
# A call may be split into two lines, the first of which has its flags.
awk '
	/unfinished/ { is_thread[$1] = /CLONE_THREAD/; next }
	/\) += [0-9]+$/ { processes += /resumed/ ? !is_thread[$1] : !/CLONE_THREAD/ }
	END { print processes + 0 " processes" }' "$log"
exit $status
