#!/bin/bash
# SPDX-License-Identifier: MIT
# Start-up and resets of the firmware of tests/drop-in/scripts/ in QEMU's mps2-an385. All of it is instrumented, so the
# hook is called before .data and .bss have their contents. RAM has random words at the start, to which an open gate may
# be added, as if firmware with the same block had run before. Calls and ticks must be those that the firmware counts.
source tests/drop-in/support.sh
number=0 machine=mps2-an385 ram=$((0x20000000)) ram_size=$((256 * 1024))

# built NAME CONFIGURATION [OPTION]...: $work/NAME.elf
built() {
	local name=$1 configuration=$2
	shift 2
	linked cmsis "$configuration" "$work/$name.elf" "$@" 2>"$work/$name.log" && return
	not_ok "$name is linked: $(head -n 1 "$work/$name.log")"
	exit 1
}

# garbage NAME FILE [open]: random words for the RAM of a firmware, with an open gate: 0 less the address of the block
# (docs/FORMAT.md, section 6).
garbage() {
	perl -e '
		srand(1);
		my ($file, $size, $offset, $gate) = @ARGV;
		my $words = pack("L<*", map { int rand(2**32) } 1 .. $size / 4);
		substr($words, $offset, 4) = pack("L<", $gate) if $gate;
		open(my $out, ">:raw", $file) or die;
		print $out $words;' "$2" $ram_size $((0x$(address_of "$work/$1.elf" bareprof_block) - ram + 0x24)) \
		$((${3+0x100000000 - 0x$(address_of "$work/$1.elf" bareprof_block)} + 0))
}

# runs NAME LABEL GATE RESETS RUNS [RUN_OPTION]...: runs a firmware, whose gate is open or closed before the last init.
# Its capture has this number of warm resets, and what it counted in the last RUNS runs. The RAM at the end is saved in
# $work/NUMBER.ram.
runs() {
	local name=$1 label=$2 gate=$3 resets=$4 summed=$5 output=$work/$((++number)) ticks calls
	shift 5
	if ! tests/qemu/run.sh --until 'done' --console "$output.console" --qmp "$output.qmp" "$@" "$machine" "$work/$name.elf" \
		bash -c 'build/bareprof pull "gdb:127.0.0.1:{port}" -e "$0" -o "$1.bprof" &&
			/usr/bin/python3 tests/probe-model/save.py "$1.qmp" "$1.ram" "$2" "$3"' \
		"$work/$name.elf" "$output" $ram $ram_size 2>"$output.log" ||
		! build/bareprof info "$output.bprof" >"$output.info" 2>&1 ||
		! build/bareprof export json "$work/$name.elf" "$output.bprof" >"$output.json" 2>>"$output.log"; then
		not_ok "$label: $(tail -n 1 "$output.log")"
		return
	fi
	ticks=$(sed -n 's/^ticks //p' "$output.console" | tail -n "$summed" | awk '{ sum += $1 } END { print sum }')
	calls="step=$((48000 * summed)) work=$((3000 * summed))"
	# The start-up code finds an open gate, and the block is kept.
	((resets == 0)) || [[ $gate == closed ]] || calls="Reset_Handler=1 SystemInit=1 main=1 $calls"
	check_by "$label" /usr/bin/python3 -c '
import json, re, sys
console, info, profile, gate, resets, ticks, calls = sys.argv[1:]
info = open(info).read().replace(",", "")
counted = " ".join(sorted("%s=%s" % (f["name"], f["calls"]) for f in json.load(open(profile))["functions"] if f["calls"]))
found = re.search(r"ticks +(\d+).*adds up", info)
for what, value, expected in (("gate", re.findall("gate (.*)", open(console).read())[-1], gate),
                              ("warm resets", re.search(r"(\d+) warm resets", info)[1], resets),
                              ("calls", counted, calls), ("ticks", found and found[1], ticks)):
    if value != expected:
        sys.exit("%s: %s, not %s" % (what, value, expected))
print(ticks + " ticks")' "$output.console" "$output.info" "$output.json" "$gate" "$resets" "$ticks" "$calls"
}

noinit=(BAREPROF_BLOCK_SECTION '".noinit"')
configured bss
configured noinit "${noinit[@]}"
configured hash "${noinit[@]}" BAREPROF_HASH_BYTES 0x40000
for block in bss noinit hash; do
	built $block $block
	garbage $block "$work/$block.random"
	garbage $block "$work/$block.stale" open
	gate=open
	[[ $block != bss ]] || gate=closed
	runs $block "$block, random words" closed 0 1 --memory "$work/$block.random@$ram"
	runs $block "$block, random words and an open gate" $gate 0 1 --memory "$work/$block.stale@$ram"
done

# The core resets itself once. The profile was stopped before, but not by the last firmware.
for block in bss noinit hash; do
	built $block-reset $block -DRESETS=1u
	resets=0
	[[ $block != hash ]] || resets=1
	runs $block-reset "$block, after a reset" closed $resets $((resets + 1))
done

built running hash -DRESETS=1u -DRESET_RUNNING
runs running "hash, after a reset while the profile runs" open 1 2

# The RAM is what another firmware left.
built other hash -DSTEP=5
[[ $(address_of "$work/other.elf" bareprof_block) == "$(address_of "$work/hash.elf" bareprof_block)" ]] ||
	not_ok "another build has its block at the same address"
runs hash "a first run" closed 0 1
runs other "another build of the same layout" closed 0 1 --memory "$work/$number.ram@$ram"
exit $((failures != 0))
