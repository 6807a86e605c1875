#!/bin/bash
# SPDX-License-Identifier: MIT
# serve.sh PROTOCOL SERVER... -- COMMAND...: runs COMMAND beside SERVER, an OpenOCD (openocd.cfg) or a pyOCD (gdbserver.py)
# that has the probe of the probe model. Its port for PROTOCOL, tcl or gdb, replaces {port} in COMMAND. The exit status is COMMAND's,
# or 125 if SERVER did not serve; what SERVER said is printed unless that is 0.
set -u
source tests/check/split.sh
protocol=$1
split server command "${@:2}"
said=$(mktemp) || exit 125
"${server[@]}" >"$said" 2>&1 &
trap 'kill $! 2>/dev/null; wait; rm -f "$said"' EXIT

port=''
for ((i = 0; i < 600; i++)); do
	[[ -z $port ]] || break
	sleep 0.1
	port=$(sed -n "s/.*Listening on port \([0-9]*\) for $protocol connections.*/\1/p" "$said")
done
status=125
if [[ -n $port ]]; then
	"${command[@]//\{port\}/$port}"
	status=$?
fi
[[ $status == 0 ]] || cat "$said"
exit $status
