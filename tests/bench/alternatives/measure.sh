#!/bin/bash
# SPDX-License-Identifier: MIT
# The table of `make bench-alternatives`, from lines `NAME|OBJECTS|BYTES OF AN ARC|LIMITS`: per alternative,
# instructions of a call whose arc is in the first slot, and per call if all arcs of a table are called that is 70 % and
# 85 % full; probes per stored arc in such tables; bytes of an arc and of text, hook and table; what it cannot do.
set -eu
cd "$(dirname "$0")/../../.."
board=mps2-an385
built=build/bench/alternatives

# So many instructions per call, the two of the call site included.
instructions_when_loaded() {
	local elf=$built/$1/loaded-$2.elf counts=$built/$1/loaded-$2.counts plugin
	address() { printf '%x' $((16#$(readelf -sW "$elf" | awk -v name="$1" '$8 == name { print $2; exit }') & ~1)); }
	plugin=build/qemu/count.so,output=$counts,start=$(address measured_begin),stop=$(address measured_end)
	tests/qemu/run.sh --timeout 60 --plugin "$plugin" $board "$elf"
	perl -e '
		my ($start, $end, $calls) = (hex shift, hex shift, shift);
		my $sum = 0;
		while (<>) {
			my ($address, $count) = split;
			$sum += $count if hex $address >= $start && hex $address < $end;
		}
		printf "%.1f\n", $sum / $calls + 2;
	' "$(address bareprof_code_start)" "$(address bareprof_code_end)" $((256 * $2 / 100)) "$counts"
}

# The average over the tables.
probes() {
	for program in "$built/$1"/probes-*; do
		"$program" $built/nano.arcs "$2" rebased
	done | awk '{ sum += $2 } END { printf "%.2f\n", sum / NR }'
}

# The objects are words.
text_of() {
	size $1 | awk 'NR > 1 { sum += $1 } END { print sum }'
}

row='%-10s %6s %8s %8s %7s %7s %6s %6s  %s\n'
printf "$row" '' first '70% full' '85% full' 'probes' 'probes' 'bytes' 'bytes' ''
printf "$row" table slot average average '70%' '85%' of-arc of-text 'what it cannot do'
while IFS='|' read -r name objects bytes limits; do
	hit=$(HITS_FOLDER=$built/$name bash tests/bench/paths/paths.sh $board | awk '/^instructions-call/ { print $3 }')
	printf "$row" "$name" "$hit" "$(instructions_when_loaded "$name" 70)" "$(instructions_when_loaded "$name" 85)" \
		"$(probes "$name" 70)" "$(probes "$name" 85)" "$bytes" "$(text_of "$objects")" "$limits"
done
