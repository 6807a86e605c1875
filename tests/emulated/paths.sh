#!/bin/bash
# SPDX-License-Identifier: MIT
# Firmware that counts its call paths: the tree has exactly the paths that the shadow call stack of tests/qemu/shadow.c had at
# the same ticks, and the same ends, also for tasks; with a row of the unwind table shifted it has others. With two
# cores, each has a tree of its own.
source tests/emulated/support.sh
source tests/unwind/shadow.sh

# compare BOARD ELF OUTPUT: prints a summary, or what differs.
compare() {
	local board=$1 elf=$2 output=$3
	profile_elf "$board" "$elf" "$output" --plugin "$(shadow_plugin "$elf" "$output.paths" "$output.counts")" &&
		perl tests/emulated/paths.pl "$output.bprof" "$output.paths" "$output.paths.functions"
}

# compare_cores BOARD FIRMWARE OUTPUT: each core's tree has only paths that this core's code takes.
compare_cores() {
	local firmware=build/firmware/$1/$2.elf output=$3 core
	profile "$1" "$2" "$output" --cores 2 || return 1
	for core in 0 1; do
		build/bareprof export folded --core "$core" "$firmware" "$output.bprof" >"$output.$core" || return 1
	done
	perl -ne '
		BEGIN {
			@path = map {
				my ($outer, $round, $depth) = @$_;
				my $inner = "$round(;(mix|twist))?|twist|descend(;descend){0,$depth}(;twist)?";
				qr/^$outer(;profile_rounds(;($inner))?)? \d+$/
			} ["\\w+;main", "first_round", 2], ["<task entry>;second_main", "second_round", 4];
		}
		# Both ends of board_work_acknowledge share granules with neighbours, and so do the ends of the recorder.
		next if /^<unknown caller>;(board|console)_\w+ \d$|^<bareprof> /;
		my ($core, $samples) = ($ARGV =~ /(.)$/, /(\d+)$/);
		$samples[$core] += $samples;
		push @wrong, "core $core: $_" if !/$path[$core]/ && !($core == 0 && /^<exception>;/ && !/main|round/);
		END {
			push @wrong, "too few samples\n" if grep { ($samples[$_] // 0) < 100 } 0, 1;
			print @wrong ? @wrong : "@samples samples\n";
			exit !!@wrong;
		}' "$output.0" "$output.1"
}

# same_table ELF AGAIN: the table of an ELF that has its table is this table.
same_table() {
	build/bareprof unwind-table -o "$2" "$1" >"$2.txt" && cmp "$2" "${1%.elf}.table" && stat -c '%s bytes' "$2"
}

while read -r board firmware; do
	elf=build/firmware/$board/$firmware.elf
	check_by "the table of the linked ELF is the one in it: $board, $firmware" same_table "$elf" "$work/again.table"
	if [[ $firmware == cores+* ]]; then
		name="the tree of each core has its own paths: $board, $firmware"
		check_by "$name" compare_cores "$board" "$firmware" "$work/$board-$firmware"
		continue
	fi
	name="paths of the tree are as on the shadow call stack: $board, $firmware"
	check_by "$name" compare "$board" "$elf" "$work/$board-$firmware"
done < <(firmware_of_test)

# A table whose rows are shifted, with a CRC that holds.
board=mps2-an385 firmware=demo+plain+paths+BAREPROF_PATHS-8192
elf=$work/shifted.elf
perl tests/emulated/shift_rows.pl "build/firmware/$board/$firmware.table" "$work/shifted.table" &&
	arm-none-eabi-objcopy --update-section ".bareprof_unwind=$work/shifted.table" "build/firmware/$board/$firmware.elf" "$elf"
if result=$(compare "$board" "$elf" "$work/shifted" 2>&1); then
	not_ok "shifted rows give other paths: $result"
elif [[ $result == *'paths differ'* ]]; then
	ok "shifted rows give other paths"
else
	not_ok "shifted rows give other paths: $result"
fi

# check NAME ELF CAPTURE TEXT: the report of the capture contains the text.
check() {
	if result=$(build/bareprof report "$2" "$3" 2>&1) && [[ $result == *"$4"* ]]; then
		ok "$1"
	else
		not_ok "$1: $result"
	fi
}
of_table=build/firmware/$board/$firmware.elf
check "report measures by the tree" "$of_table" "$work/$board-$firmware.bprof" "counted as paths"
check "tree by the table of another ELF is refused" "$of_table" "$work/shifted.bprof" "by the unwind table of another ELF"
exit $((failures != 0))
