#!/bin/bash
# SPDX-License-Identifier: MIT
# serve.sh PROTOCOL SERVER... -- COMMAND...: runs COMMAND while SERVER runs, an OpenOCD (openocd.cfg) or a pyOCD (gdbserver.py) that
# uses the model of a probe. Its port for PROTOCOL, tcl or gdb, replaces {port} in COMMAND. The exit status is COMMAND's, or
# 125 if SERVER did not start. If it is not 0, the output of SERVER is printed.
set -u
source tests/check/split.sh
protocol=$1
split server command "${@:2}"
output=$(mktemp) || exit 125
"${server[@]}" >"$output" 2>&1 &
trap 'kill $! 2>/dev/null; wait; rm -f "$output"' EXIT

port=''
for ((i = 0; i < 600; i++)); do
	[[ -z $port ]] || break
	sleep 0.1
	port=$(sed -n "s/.*Listening on port \([0-9]*\) for $protocol connections.*/\1/p" "$output")
done
status=125
if [[ -n $port ]]; then
	"${command[@]//\{port\}/$port}"
	status=$?
fi
[[ $status == 0 ]] || cat "$output"
exit $status
