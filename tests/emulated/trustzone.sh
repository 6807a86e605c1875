#!/bin/bash
# SPDX-License-Identifier: MIT
# Code in two security states, sampled from either. A Secure image sees its own code and the other state's, function
# by function; a Non-secure image sees its own code and that Secure code ran. Likewise for their stacks.
source tests/emulated/support.sh

# with_stacks BOARD FIRMWARE OUTPUT: prints a summary, or what is wrong with the slices.
with_stacks() {
	local board=$1 firmware=$2 output=$3 elf=build/firmware/$1/$2.elf image=SECURE options=()
	[[ $board != *-ns ]] || image=NONSECURE
	[[ $firmware != *COPIES_SECURE_STACK-0* ]] || options+=(WITHHOLDS)
	[[ $firmware != *PROCESS_STACK* ]] || options+=(PROCESS_STACK)
	[[ $firmware != *CHAINED* ]] || options+=(CHAINED)
	profile_elf "$board" "$elf" "$output" &&
		readelf -sW "$elf" >"$output.symbols" &&
		build/tests/print_paths "$elf" "$output.bprof" >"$output.paths" &&
		perl tests/emulated/state_stacks.pl "$output" "$image" "${options[@]}" || return
	# No task has begun: nothing is on the stack that would say so, and withheld stacks say nothing.
	grep -q '"task": 0,' "$output.json" || { echo "stacks end in tasks"; return 1; }
}

# with_paths BOARD FIRMWARE OUTPUT: prints how the paths of the tree end, or what is wrong. Withheld stacks are a third of all
# at least, and assembly without frame information is a little of the code.
with_paths() {
	profile_elf "$1" "build/firmware/$1/$2.elf" "$3" && perl -MJSON::PP -e '
		my $ends = decode_json(join q(), <STDIN>)->{measured};
		my ($all, $withheld, $no_row) = @$ends{qw(stacks withheld no_frame_information)};
		printf "of %d paths %d withheld, %d without frame information\n", $all, $withheld, $no_row;
		exit($withheld < $all / 3 || $no_row > $all / 50 || $ends->{task} > 0)' <"$3.json"
}

# The function that checks what a firmware keeps of its stacks.
check_of() {
	case $1 in
	*+stacks*) echo with_stacks ;;
	*+paths*) echo with_paths ;;
	esac
}

while read -r board firmware; do
	output=$work/$board-$firmware
	check=$(check_of "$firmware")
	if [[ -n $check ]]; then
		name="stacks are those that the states allow to read: $board, $firmware"
		check_by "$name" $check "$board" "$firmware" "$output"
		continue
	fi
	options=()
	[[ $board == *-ns ]] && options+=('--secure=^(other_.*|boot_handler)$')
	# The sampling interrupt waits until this one has ended.
	[[ $firmware == *CHAINED* ]] && options+=('--unsampled=^other_interrupt$')
	if ! counted_profile "$board" "$firmware" "$output"; then
		not_ok "a profile of $firmware on $board: none was taken"
		continue
	fi
	grep -q '"samples_outside": 0,' "$output.json" || not_ok "all samples of $firmware on $board lie in the code: some do not"
	perl tests/emulated/self_times.pl "${options[@]}" "$board" "$output" || failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
