#!/bin/bash
# SPDX-License-Identifier: MIT
# run.sh SOURCE FW.elf [OPTION]...: tests a real probe and board, and prints a block of text for an issue. The board must be running
# FW.elf with its sampling timer on, as the demo does. OPTIONs are those that `bareprof pull` needs for this board, such as
# --transport=jtag. BAREPROF is the tool, by default build/bareprof. docs/HARDWARE-TEST.md explains the lines.
set -u
if [[ $# -lt 2 ]]; then
	echo "usage: tests/hardware/run.sh SOURCE FW.elf [OPTION]..." >&2
	exit 2
fi
source=$1 firmware=$2
options=("${@:3}")
tool=${BAREPROF:-$(dirname "$0")/../../build/bareprof}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 lines=()

# record STATUS NAME [DETAIL]: a failure shows the last line of output instead of DETAIL.
record() {
	if [[ $1 == 0 ]]; then
		passed=$((passed + 1)) lines+=("ok      $2${3:+: $3}")
	else
		failed=$((failed + 1)) lines+=("FAILED  $2: $(tail -n 1 "$work/output")")
	fi
	echo "${lines[-1]}" >&2
}

# pull FILE [OPTION]...
pull() {
	"$tool" pull "$source" -e "$firmware" -o "$work/$1" "${options[@]}" "${@:2}" >"$work/output" 2>&1
}

# The duration and rate of the last pull.
rate() { sed -n 's/.* in \([0-9.]* s ([0-9.]* kB\/s) at .*\)$/\1/p' "$work/output"; }

# same FILE FILE: two captures have the same block; their trailers differ in times.
same() {
	local size
	size=$(od -An -tu4 -j24 -N4 "$work/$1" | tr -d ' ')
	cmp -n "$size" "$work/$1" "$work/$2" >"$work/output" 2>&1
}

"$tool" devices >"$work/devices" 2>&1

pull first
record $? "pull while the firmware runs" "$(rate)"
"$tool" report "$firmware" "$work/first" >"$work/output" 2>&1
record $? "report" "$(awk '/^ self %/ { getline; print $NF; exit }' "$work/output") leads the profile"

pull timed --reset --start --wait 5 --stop
record $? "reset, 5 s of profile, stop"
ticks=$("$tool" info "$work/timed" | sed -n 's/^  ticks *\([0-9,]*\).*/\1/p')
echo "no ticks in 5 s" >"$work/output"
[[ -n $ticks && $ticks != 0 ]]
record $? "the sampling timer ticks" "$ticks in 5 s"

pull still
record $? "pull at rest" "$(rate)"
same timed still
record $? "two pulls at rest are equal" "the same bytes"

# A clock that is too fast for the wires is a finding, not a failure, unless it returns wrong bytes.
for speed in 100k 1M 4M 10M; do
	if pull "speed-$speed" --speed "$speed"; then
		detail=$(rate)
		same timed "speed-$speed"
		record $? "--speed $speed" "$detail"
	else
		lines+=("none    --speed $speed: $(tail -n 1 "$work/output")")
		echo "${lines[-1]}" >&2
	fi
done

pull halted --halt && same timed halted
record $? "--halt" "the same bytes"
pull again --start
record $? "the firmware runs after --halt and answers"
pull reset --reset-target
record $? "--reset-target"
if pull awake --keep-awake; then
	record 0 "--keep-awake" "$(grep -o '[^ ]* kept awake' "$work/output")"
else
	lines+=("none    --keep-awake: $(tail -n 1 "$work/output")")
fi
if "$tool" sample "$source" -e "$firmware" -o "$work/sampled" --seconds 5 "${options[@]}" >"$work/output" 2>&1; then
	record 0 "sample" "$(sed -n 's/^sampled .* for \(.*\) batches.*/\1 batches/p' "$work/output")"
else
	lines+=("none    sample: $(tail -n 1 "$work/output")")
fi

printf '\n--- from here: paste this into an issue, and add the names of the probe and board\n'
printf '%d passed, %d failed: %s\n' "$passed" "$failed" "$source${options[*]:+ ${options[*]}}"
"$tool" --version
uname -srm
grep -m 1 -F "${source%%[:,]*}" "$work/devices" || echo "not listed by bareprof devices"
"$tool" info "$work/first" 2>/dev/null | grep -E '^  (board|build-id|timer|ticks)' || true
printf '%s\n' "${lines[@]}"
printf -- '--- to here\n'
[[ $failed == 0 ]]
