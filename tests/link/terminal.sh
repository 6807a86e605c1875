#!/bin/bash
# SPDX-License-Identifier: MIT
# terminal.sh BAREPROF TARGET FOLDER: a pull restores the settings of the terminal, however it ends.
set -u
source tests/check/split.sh
bareprof=$1 target=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" || exit 1

# restores NAME STATUS OPTIONS PEER... -- WORD...: the words run a pull from a terminal whose other end is the peer.
restores() {
	local name=$1 expected=$2 options=$3 peer words before after status out
	split peer words "${@:4}"
	exec {out}< <(exec build/link/proxy "pty:$folder/tty" -- "${peer[@]}")
	local proxy=$!
	read -r _ _ <&"$out"
	stty -F "$folder/tty" sane 9600 crtscts
	before=$(stty -F "$folder/tty" -g)
	"${words[@]}" "$bareprof" pull "uart:$folder/tty$options" -o "$folder/run.bprof" >"$folder/said" 2>&1
	status=$?
	after=$(stty -F "$folder/tty" -g)
	kill -TERM "$proxy" 2>/dev/null
	wait "$proxy" 2>/dev/null
	if [[ $status != "$expected" ]]; then
		echo "not ok $name: status $status: $(<"$folder/said")"
	elif [[ $before != "$after" ]]; then
		echo "not ok $name: $before became $after"
	else
		echo "ok $name"
	fi
}

# signalled SIGNAL COMMAND...: COMMAND gets the signal once the peer has received a request.
signalled() {
	local killer status
	{
		for ((i = 0; i < 600; i++)); do
			[[ ! -s $folder/requested ]] || break
			sleep 0.1
		done
		kill -s "$1" "$(<"$folder/pid")"
	} &
	killer=$!
	bash -c 'echo $$ >"$1" && exec "${@:2}"' - "$folder/pid" "${@:2}"
	status=$?
	wait "$killer"
	return $status
}

silent=(build/link/hostile silent)
restores "after a pull" 0 "" "$target" - sparse -- timeout 300
restores "after an option that the terminal refuses" 1 ,dtr=on "${silent[@]}" -- timeout 300
restores "after silence" 1 ,timeout=0.1 "${silent[@]}" -- timeout 300
for signal in INT TERM HUP; do
	rm -f "$folder/requested"
	restores "after SIG$signal" 1 ,timeout=300 sh -c "head -c 1 >$folder/requested; cat >/dev/null" -- signalled "$signal"
done
