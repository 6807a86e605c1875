#!/bin/bash
# SPDX-License-Identifier: MIT
# Pulls from the native target over lines with every fault of the proxy, and from malicious peers: a pull ends in time,
# with exactly the block or with a one-line reason.
#
#	faults.sh BAREPROF TARGET GROUP...	the cases of these groups, see the end
#	faults.sh BAREPROF TARGET case NAME	one case; its files stay in build/link/faults/NAME
#
# The environment variable FAULTS_PIPES lists the kinds of pipes that BAREPROF was built for (default: tcp pty).
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
bareprof=$1 target=$2
shift 2
pipes=${FAULTS_PIPES:-tcp pty}
folder=build/link/faults${FAULTS_FOLDER:+-$FAULTS_FOLDER}

# --- A case is a line: NAME | expected result | kind of pipe | options of the pull | of the proxy | of the target.
#
# exact	a capture that begins with the target's block, as it is at the end
# error	no capture, and one line with the reason
# either	one of the two
# live	a capture of a running profile, whose samples add up
#
# Each case has its own seed, so faults repeat in each run, except where timing decides which requests are repeated.

tables='empty sparse full random'

# Each fault at each rate in each direction, for each kind of table.
matrix() {
	local pipe=$1 fault rate direction content expected
	for fault in drop duplicate flip insert; do
		for rate in 1000 100; do
			expected=exact
			[[ $rate -gt 100 ]] || expected=either
			for direction in to-host to-target; do
				for content in $tables; do
					echo "$pipe-$fault-$rate-$direction-$content|$expected|$pipe||$direction=$fault:$rate|$content"
				done
			done
		done
	done
}

every_fault=drop:400,duplicate:400,flip:400,insert:400

cases_tcp() {
	matrix tcp
}

cases_uart() {
	matrix pty
}

cases_mixed() {
	local pipe
	for pipe in tcp pty; do
		echo "$pipe-clean|exact|$pipe|||full"
		echo "$pipe-all-faults|exact|$pipe||to-host=$every_fault to-target=$every_fault|full"
		echo "$pipe-text-anywhere|exact|$pipe||to-host=text:300|full"
		echo "$pipe-text-between|exact|$pipe|||full text=50"
		echo "$pipe-text-flood|exact|$pipe|||random text=95"
		echo "$pipe-stalls|exact|$pipe||to-host=stall:4000 to-target=stall:40 pause=300|full"
		echo "$pipe-long-stall|error|$pipe|timeout=1|to-host=stall:3000 pause=60000|full"
		echo "$pipe-unplugged|exact|$pipe||cut=3000 cuts=4 pause=150|full"
		echo "$pipe-unplugged-and-faults|exact|$pipe||cut=3000 cuts=4 pause=150 to-host=flip:1000|random"
		echo "$pipe-gone|error|$pipe|timeout=1|cut=3000 pause=60000|full"
	done
	echo "frames-of-64|exact|tcp||to-host=flip:200|full frame=64"
	echo "frames-of-256|exact|tcp||to-host=flip:1000|random frame=256"
	echo "frames-of-1024|exact|tcp||to-host=flip:1000|random frame=1024"
	echo "frames-of-1024-noise|exact|tcp||to-host=flip:100|random frame=1024"
	echo "slow-line|exact|pty||to-host=flip:2000|random rate=115200"
	echo "fast-line|exact|tcp||to-host=flip:500|random rate=3000000"
	echo "very-slow-line|exact|tcp|||sparse rate=9600"
}

# The target loses the link and its RAM, then has another content.
cases_reset() {
	local at
	for at in 100 600 1500 5000 9000 12500; do
		echo "reset-at-$at|either|tcp|||full reset=$at"
		echo "reset-at-$at-pty|either|pty||to-host=flip:1000|full reset=$at"
		echo "reset-at-$at-slow|either|pty|||full reset=$at rate=200000"
	done
}

cases_control() {
	echo "running|live|tcp|||running"
	echo "running-faults|live|tcp||to-host=$every_fault to-target=$every_fault|running"
	echo "stop|exact|tcp|--stop||running"
	echo "stop-faults|exact|tcp|--stop|to-host=drop:300 to-target=drop:300|running"
	echo "reset-start-stop|exact|pty|--reset --start --wait 0.1 --stop|to-host=flip:200 to-target=flip:100|running"
}

# Bytes lost on the way from a target that only sends are missing until it sends again.
cases_sends() {
	local pipe
	for pipe in tcp pty; do
		echo "$pipe-sends|exact|$pipe|||full sends=100"
		echo "$pipe-sends-text|exact|$pipe|||sparse sends=100 text=30"
		echo "$pipe-sends-faults|either|$pipe|timeout=2|to-host=flip:3000|full sends=100"
		echo "$pipe-sends-noise|either|$pipe|timeout=2|to-host=$every_fault|random sends=100"
	done
}

behaviours='silent random text zeros endless-frame part introductions identity version mute offsets inflate refuse repeat
	another nonsense'

cases_hostile() {
	local behaviour
	for behaviour in $behaviours; do
		echo "hostile-$behaviour|error|tcp|timeout=1||hostile:$behaviour"
	done
	for behaviour in random text endless-frame repeat nonsense; do
		echo "hostile-$behaviour-pty|error|pty|timeout=1||hostile:$behaviour"
	done
	echo "hostile-closes|error|tcp|timeout=1||closes:"
	echo "hostile-echo|error|tcp|timeout=1||echo:"
}

# A selection, for a tool and a target under the sanitizers.
cases_some() {
	matrix tcp | grep -E -- '-100-.*-(sparse|random)'
	cases_mixed | grep -E '^(tcp-|frames)' | grep -v -e -stalls
	cases_sends | grep '^tcp'
	cases_control | grep -e -faults
	cases_hostile | grep -v -e -pty
}

# --- One case

# The command that runs a target, or its replacement, on standard streams.
set_peer() {
	local content=$1
	case $content in
	hostile:*) peer=(build/link/hostile "${content#hostile:}") ;;
	closes:) peer=(true) ;;
	echo:) peer=(cat) ;;
	*) peer=("$target" - "$@" "dump=$work/dump") ;;
	esac
}

complain() {
	echo "not ok $name: $*: $(cat "$work/errors" "$work/peer" | head -c 600 | tr '\n' ' ') (files in $work)"
	exit 0
}

is_exact() {
	cmp -s -n "$(stat -c %s "$work/dump")" "$work/dump" "$work/out/got.bprof"
}

# One line that names the source, and nothing that looks like a capture.
is_clear_error() {
	[[ $status -eq 1 && $(wc -l <"$work/errors") -eq 1 && -z $(ls -A "$work/out") ]] && grep -qF "${source%%,*}" "$work/errors"
}

adds_up() {
	build/bareprof info "$work/out/got.bprof" | grep -q '; adds up'
}

endings=(capture error)

judge() {
	case $expected-$status in
	exact-0 | either-0) is_exact || complain "the capture is not the block" ;;
	error-1 | either-1) is_clear_error || complain "not one clear line, or files are left" ;;
	live-0) adds_up || complain "its samples do not add up" ;;
	*) complain "status $status after $seconds s" ;;
	esac
	echo "ok $name: ${endings[status]} after $seconds s"
}

run_case() {
	local options proxy_options content proxy out
	IFS='|' read -r name expected pipe options proxy_options content <<<"$1"
	work=$folder/$name
	rm -rf "$work"
	mkdir -p "$work/out"
	local end=$pipe seed
	seed=$(cksum <<<"$name" | cut -d ' ' -f 1)
	[[ $pipe == tcp ]] || end=pty:$PWD/$work/tty
	# Options of a case are split at blanks.
	# shellcheck disable=SC2086
	set_peer $content
	# shellcheck disable=SC2086
	exec {out}< <(exec build/link/proxy "$end" "seed=$seed" "counts=$work/counts" $proxy_options -- "${peer[@]}" 2>"$work/peer")
	proxy=$!
	read -r _ where <&"$out"
	source=tcp:127.0.0.1:$where
	[[ $pipe == tcp ]] || source=uart:$PWD/$work/tty
	local words=($options)
	if [[ ${words[0]-} == timeout=* ]]; then
		source+=,${words[0]}
		words=("${words[@]:1}")
	fi
	local begin=${EPOCHREALTIME/./}
	timeout -k 1 300 "$bareprof" pull "$source" "${words[@]}" -o "$work/out/got.bprof" \
		>"$work/summary" 2>"$work/errors"
	status=$?
	seconds=$(printf '%08d' $((${EPOCHREALTIME/./} - begin)) | sed 's/....$//; s/..$/.&/; s/^0*\([0-9]\)/\1/')
	kill -TERM "$proxy" 2>/dev/null
	wait "$proxy" 2>/dev/null
	judge
}

# Checks that pulls rarely give up. On lines as bad as these, giving up is sometimes correct.
tally() {
	awk '{ print } /^ok [^ ]*-100-to-/ { pulls++; captures += $3 == "capture" }
		END { if (pulls > 0) print (captures >= 0.9 * pulls ? "" : "not ") "ok of " pulls \
			" pulls over lines with a fault in each 100 bytes " captures " end with a capture" }'
}

case $1 in
case)
	run_case "$(for group in tcp uart mixed reset control sends hostile; do "cases_$group"; done | grep -F "$2|" | head -n 1)"
	;;
line)
	run_case "$2"
	;;
*)
	# Most of a pull over a bad line is waiting.
	for group; do
		"cases_$group"
	done | grep -E "\|(${pipes// /|})\|" | tr '\n' '\0' | xargs -0 -n 1 -P 8 bash "$0" "$bareprof" "$target" line | tally
	;;
esac
