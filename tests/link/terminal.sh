#!/bin/bash
# SPDX-License-Identifier: MIT
# terminal.sh BAREPROF TARGET FOLDER: a pull leaves the terminal set up as it found it, whatever it ends by.
set -u
source tests/check/split.sh
bareprof=$1 target=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" || exit 1

# leaves NAME STATUS OPTIONS PEER... -- WORD...: the words run a pull, of a terminal with a peer at its other end.
leaves() {
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

# signalled SIGNAL COMMAND...: COMMAND gets the signal once the peer was asked for something.
signalled() {
	local killer status
	{
		for ((i = 0; i < 600; i++)); do
			[[ ! -s $folder/asked ]] || break
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
leaves "after a pull" 0 "" "$target" - sparse -- timeout 60
leaves "after an option that it cannot have" 1 ,dtr=on "${silent[@]}" -- timeout 60
leaves "after silence" 1 ,timeout=0.1 "${silent[@]}" -- timeout 60
for signal in INT TERM HUP; do
	rm -f "$folder/asked"
	leaves "after SIG$signal" 1 ,timeout=60 sh -c "head -c 1 >$folder/asked; cat >/dev/null" -- signalled "$signal"
done
