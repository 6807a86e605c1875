#!/bin/bash
# SPDX-License-Identifier: MIT
# gdb.sh UMOCKDEV FOLDER TOOL: beside a firmware that runs in QEMU (firmware.sh), bareprof pulls its profile
# through OpenOCD's gdb server and pyOCD's, which see it through the models of a probe and a target: the capture holds what
# is in the memory, and the firmware runs when bareprof is done.
source tests/lab/support.sh
RAM=$(sed 's/.*file=0x21000000,\([^ ]*\).*/\1/' <<<"$LAB_TARGET")
PORT=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export tool folder capture RAM PORT CONTROL='--reset --start --wait 0.5 --stop'

# beside SERVER...: the pull, with this server at work. 99 = it did not leave all as it should.
beside() {
	local server status looked_at=()
	"$@" >"$folder/server" 2>&1 &
	server=$!
	for ((i = 0; i < 300; i++)); do
		grep -sqE 'Listening on port [0-9]+ for gdb|GDB server started' "$folder/server" && break
		sleep 0.1
	done
	"$tool" pull "gdb:localhost:$PORT,timeout=20" -e "$LAB_ELF" -o "$capture" \
		$CONTROL 2>&1 | tee "$folder/pulled"
	status=${PIPESTATUS[0]}
	[[ $status != 0 ]] || looked_at=("$RAM" "$capture"
		$(sed -n 's/^pulled \([0-9,]*\) bytes at \(0x[0-9a-f]*\) .*/\2 \1/p' "$folder/pulled" | tr -d ,))
	/usr/bin/python3 tests/lab/left.py "$LAB_QMP" "${looked_at[@]}" || status=99
	kill $server 2>/dev/null
	wait $server
	return $status
}
export -f beside

# pull OPTION... -- SERVER...
pull() {
	local options server
	split options server "$@"
	rm -f "$folder/server"
	run probe "${options[@]}" -- bash -c 'beside "$@"' - "${server[@]}"
}

# expect NAME OPTION... -- SERVER...
expect() {
	local name=$1
	shift
	if pull "$@"; then
		echo "ok $name"
	else
		complain "$name" "it ended with $?" "$folder/server"
	fi
}

# expect_failure NAME TEXT OPTION... -- SERVER...: it fails and says TEXT. It only reads: which access meets a fault is by chance.
expect_failure() {
	local name=$1 text=$2
	shift 2
	CONTROL='' pull "$@"
	local status=$?
	if [[ $status != 1 ]] || ! grep -qF "$text" "$said"; then
		complain "$name" "it ended with $status" "$folder/server"
	else
		echo "ok $name"
	fi
}

openocd=(openocd -f tests/lab/gdb.cfg)
# Debian's, of which the modules are.
pyocd=(/usr/bin/python3 tests/lab/gdbserver.py --target cortex_m --port "$PORT" --telnet 0)

expect "a profile is pulled through OpenOCD's gdb server" --packet 512 -- "${openocd[@]}"
expect "a profile is pulled through pyOCD's gdb server" --v1 -- "${pyocd[@]}"
expect "a profile is pulled through pyOCD's gdb server, which stays" --v1 -- "${pyocd[@]}" --persist
expect "an OpenOCD that does not halt the target is pulled from" --packet 512 -- "${openocd[@]}" \
	-c 'lab.core configure -event gdb-attach {}'
expect "what OpenOCD answers with zeros is read again" --packet 512 fault=1500 -- "${openocd[@]}"
expect_failure "what OpenOCD cannot read is no zeros" "the gdb server says 'read_memory: failed" --packet 512 fault=400 -- \
	"${openocd[@]}"
expect_failure "what pyOCD cannot read is told" "the gdb server answered 'E01'" --v1 fault=400 -- "${pyocd[@]}" --persist
