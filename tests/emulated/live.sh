#!/bin/bash
# SPDX-License-Identifier: MIT
# Pulls from running firmware: it continues between pulls, obeys the control words, and no pull loses a sample.
# Calls itself as `live.sh session BOARD FIRMWARE.elf SOURCE` while each firmware runs, and link.sh calls it, too:
# SOURCE is as for pull. With a gdb server as SOURCE, the firmware's QEMU also listens at the socket $QMP_SOCKET.
SLICES=64 # of boards/boards.mk
[[ ${1-} == session ]] && work_of=$2-${4%%:*}
source tests/emulated/support.sh

# The results of a pull with these options: state, epoch, ticks, the samples in all stores, whether they add up, the ticks
# during the read, and the numbers of stacks offered and recorded, as slices or in a tree.
look() {
	build/bareprof pull "$target" -e "$elf" -o "$work/live.bprof" "$@" 2>"$work/errors" &&
		build/bareprof info "$work/live.bprof" "$elf" 2>>"$work/errors" |
		awk '$1 == "ticks" { adds_up = /; adds up/ } { gsub(/[,:]/, "") } $1 == "state" { state = $2; epoch = $4 }
			$1 == "ticks" { ticks = $2; for (i = 3; i <= NF; i++) if ($i ~ /^(in|outside)$/) kept += $(i - 1) }
			$1 == "skew" { skew = $2 }
			$1 == "stacks" { offered = $2 }
			$1 == "slices" || $1 == "paths" { recorded = $2 }
			END { print state, epoch, ticks, kept + 0, adds_up + 0, skew + 0, offered + 0, recorded + 0 }'
}

# Whether a profile that is not running has the stacks of all its ticks, or as many slices as it has room for.
stacks_are_right() {
	case $elf in
	*+paths*) ((offered == ticks && recorded == ticks)) ;;
	*+stacks*) ((offered == ticks && recorded == (ticks < SLICES ? ticks : SLICES))) ;;
	esac
}

declare -A state_is_live=([running]=1 [stopped]=0 [armed]=0)

# expect NAME STATE CONDITION [PULL-OPTION]...: CONDITION is arithmetic over epoch, ticks and before, the ticks of the
# pull before this one.
expect() {
	local name=$1 wanted=$2 condition=$3 seen
	shift 3
	seen=$(look "$@")
	# On a busy machine a window may end after the wait.
	for ((i = 0; i < 60; i++)); do
		[[ $wanted == stopped && " $* " == *" --arm "* && $seen == @(armed|running)\ * ]] || break
		seen=$(look --wait 0.5)
	done
	before=$ticks
	# A live target may be in the middle of a tick, counted and not yet filed, and may continue during the read.
	if read -r state epoch ticks kept adds_up skew offered recorded <<<"$seen" && [[ $state == "$wanted" ]] &&
		((condition && adds_up && (ticks == kept ||
			(state_is_live[$state] && ticks <= kept + 1 && kept <= ticks + skew)))) &&
		{ ((state_is_live[$state])) || stacks_are_right; }; then
		ok "$name: $board$over"
	else
		not_ok "$name: $board$over: state, epoch, ticks, samples, sum, skew, stacks offered and recorded were $seen $(cat "$work/errors")"
	fi
}

# opens_with FIRST OTHER: of two functions that are called alternately, the last pull has FIRST as often as OTHER, or
# one more.
opens_with() {
	local name="a window begins with the call of $1: $board$over" calls
	calls=$(build/bareprof export json "$elf" "$work/live.bprof" | perl -MJSON::PP -e '
		my $profile = decode_json(join q(), <STDIN>);
		my %calls = map { $_ => 0 } @ARGV;
		$calls{$profile->{functions}[$_->{callee}]{name}} += $_->{count} for @{$profile->{arcs}};
		print "@calls{@ARGV}"' "$1" "$2")
	if read -r first other <<<"$calls" && ((first > 0 && (first == other || first == other + 1))); then
		ok "$name ($first and $other calls)"
	else
		not_ok "$name: $1 and $2 have $calls calls"
	fi
}

# Reads QEMU without stopping it: a running profile, and a stopped one, which must equal the gdb server's byte for byte.
look_by_qmp() {
	local gdb=$target

	target=qemu:$QMP_SOCKET over=' over QMP'
	expect "a running profile is pulled" running 'ticks >= before'
	expect "the target keeps running" running 'ticks > before' --wait 0.2
	target=$gdb over=''
	expect "the profile stops when asked" stopped 'ticks >= before' --stop
	counts_of "$work/live.bprof" >"$work/stopped.block"
	target=qemu:$QMP_SOCKET over=' over QMP'
	expect "a stopped profile stands still" stopped 'ticks == before'
	if counts_of "$work/live.bprof" | cmp - "$work/stopped.block"; then
		ok "the block equals that of the gdb server: $board$over"
	else
		not_ok "the block equals that of the gdb server: $board$over"
	fi
}

# Without its symbol the block is found by a scan of RAM.
look_without_symbol() {
	local objcopy=arm-none-eabi-objcopy plain=$work/plain.elf

	[[ $board != qemu-virt-* ]] || objcopy=riscv64-unknown-elf-objcopy
	$objcopy --wildcard --strip-symbol='bareprof_block*' "$elf" "$plain"
	elf=$plain expect "a block without a symbol is found" running 'ticks > before' --wait 0.2
}

if [[ ${1-} == session ]]; then
	board=$2 elf=$3 target=$4 over='' ticks=0
	[[ $target == gdb:* ]] || over=" over ${target%%:*}"
	# QEMU listens before the firmware runs.
	for ((i = 0; i < 60; i++)); do
		[[ $(look --wait 0.1) != running\ 0\ [1-9]* ]] || break
		sleep 0.2
	done
	expect "a running profile is pulled" running 'ticks > 0 && epoch == 0'
	expect "the target went on after the first pull" running 'ticks > before' --wait 0.2
	expect "the profile stops when asked" stopped 'ticks >= before' --stop
	expect "a stopped profile stands still" stopped 'ticks == before' --wait 0.2
	expect "a reset clears the counts and begins an epoch" stopped 'ticks == 0 && epoch == 1' --reset
	expect "start, wait and stop take a profile of their own" stopped 'ticks > 0 && epoch == 1' --start --wait 0.2 --stop
	expect "an armed profile waits for its function" armed 'ticks == 0 && epoch == 2' --reset --arm main --wait 0.2
	expect "a window has exactly its ticks" stopped 'ticks == 50' --reset --arm run_round --ticks 50 --wait 0.5
	opens_with run_round send_message
	expect "another window, too" stopped 'ticks == 51' --reset --arm send_message --ticks 51 --wait 0.5
	opens_with send_message run_round
	expect "a window without a reset adds its ticks" stopped 'ticks == before + 52' --arm run_round --ticks 52 --wait 0.5
	expect "reset and start leave it running" running 'epoch == 5' --reset --start
	expect "a window of a running profile has exactly its ticks" stopped 'ticks == 53' --reset --arm run_round --ticks 53 \
		--wait 0.5
	expect "a start continues after a window" running 'ticks > before' --start --wait 0.2
	if [[ $target == gdb:* ]]; then
		look_without_symbol
		look_by_qmp
	fi
	exit $((failures != 0))
fi

while read -r board firmware; do
	elf=build/firmware/$board/$firmware.elf
	QMP_SOCKET=$work/qmp tests/qemu/run.sh --timeout 300 --qmp "$work/qmp" "$board" "$elf" \
		bash "$0" session "$board" "$elf" 'gdb:127.0.0.1:{port}' ||
		failures=$((failures + 1))
done < <(firmware_of_test)
exit $((failures != 0))
