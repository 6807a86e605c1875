#!/bin/bash
# SPDX-License-Identifier: MIT
# serve.sh COMMAND [ARGUMENT]...: runs COMMAND beside an OpenOCD that has the probe of the lab (openocd.cfg), whose port
# for Tcl replaces {tcl} in the arguments. The exit status is COMMAND's, or 125 if OpenOCD did not serve.
set -u
said=$(mktemp) || exit 125
export BACKEND=usb_bulk CORE=cortex_m
openocd -f tests/lab/openocd.cfg >"$said" 2>&1 &
openocd=$!
trap 'kill "$openocd"; wait "$openocd"; rm -f "$said"' EXIT

port=''
for ((i = 0; i < 600; i++)); do
	[[ -z $port ]] || break
	sleep 0.1
	port=$(sed -n 's/.*Listening on port \([0-9]*\) for tcl connections.*/\1/p' "$said")
done
if [[ -z $port ]]; then
	cat "$said"
	exit 125
fi
"${@//\{tcl\}/$port}"
