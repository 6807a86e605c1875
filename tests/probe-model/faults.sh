#!/bin/bash
# SPDX-License-Identifier: MIT
# Pulls of a firmware's block (firmware.sh) through models of a probe and a target with faults. A pull must end in time,
# with exactly the block, or with one line that states the reason and no file.
#
#	faults.sh UMOCKDEV TOOL FOLDER MODE...	MODE is one of v2-512, v2-64, v1, jtag, adiv6 of CMSIS-DAP; st-v2, st-v2-1, st-v3;
#					jl-ob, jl-small, jl-jtag of a J-Link; ft-swd, ft-resistor, ft-jtag of an FTDI chip
#	faults.sh UMOCKDEV TOOL FOLDER case CASE	repeats one line of the matrix, with the memory of the last run
#
# The environment variable FAULTS_SEED selects other random pairs.
set -u
umockdev=$1 tool=$2 folder=$3
shift 3
elf=build/probe-model/demo+LIVE-1.elf base=0x21000000

# Seconds that an error and a capture may take, on a busy machine.
error_limit=60 limit=300

declare -A options=([v2-512]='--packet 512' [v2-64]='--packet 64' [v1]='--v1' [jtag]='--packet 512'
	[adiv6]='--packet 512 rp2350=1'
	[st-v2]='--kind v2' [st-v2-1]='--kind v2-1' [st-v3]='--kind v3'
	[jl-ob]='--kind ob' [jl-small]='--kind v8 --memory 512' [jl-jtag]='--kind v11'
	[ft-swd]='--kind ft2232h' [ft-resistor]='--kind ft232h --resistor' [ft-jtag]='--kind ft232h --wires jtag')
declare -A tool_options=([jtag]=--transport=jtag [jl-jtag]=--transport=jtag [ft-jtag]=--transport=jtag)

# source_of MODE
source_of() {
	case $1 in
	st-*) echo stlink ;;
	jl-*) echo jlink ;;
	ft-*) echo ftdi ;;
	*) echo cmsis-dap ;;
	esac
}

# --- A case is a line: MODE | expected result | options of the probe | options of the target.
#
# exact		the block
# exact:COUNT	the block, and this count (swd_print_counts) shows that the fault occurred
# error:TEXT	no capture, and one line that contains TEXT
# either	the block or an error, where faults may be too frequent

# each FAULT N... RESULT: cases for each mode. FAULT is an option of the probe if it begins with a dash, else of the target.
each() {
	local fault=$1 expected=${*: -1} mode n
	for n in "${@:2:$#-2}"; do
		for mode in $modes; do
			[[ $fault == -* ]] && echo "$mode|$expected|$fault $n|" || echo "$mode|$expected||$fault=$n"
		done
	done
}

silent='error:the target does not answer; is it powered'
asleep='error:(WFI)'
wrong="error:the probe's answers do not match the commands"
wrong_chip="error:the chip's answers do not match the commands"
late='error:no answer came in time'

wire_faults() {
	if [[ $modes == ft-* || $modes == jl-* ]]; then
		each wait 20 100 exact:waits
		each wait 7 either
		each wait-for-ever 1000 either
	else
		each wait 1 7 100 exact:waits
		each wait-for-ever 1000 exact:waits
	fi
	each wait-for-ever 1 'error:sleeps (WFI): keep the chip awake if it is an STM32'
	each wait-for-ever 10 either
	each fault 1 "error:the target's bus answers with an error"
	# A word at a time, which takes long and is independent of the probe's packets.
	modes=${modes%% *} each fault 2 either
	each fault 10 either
	each fault 100 1000 exact:faults
	# JTAG has no parity.
	modes=$swd_modes each parity 1 error:
	modes=$swd_modes each parity 7 "error:the target's answers are damaged"
	modes=$swd_modes each parity 10 either
	modes=$swd_modes each parity 100 1000 exact:line-resets
	each silent 1 5 "$silent"
	each silent 20 either
	each silent 100 1000 exact:line-resets
	each reset 3 300 3000 exact:line-resets
	each zeros 1 10 100 3000 "$asleep"
	each unplug 1 100 3000 "$silent"
	each busy 10 1000 exact:clocks
	each busy 100000 either
	each cache 100000 exact
}

# ROM tables come from the target.
adiv6_faults() {
	[[ $modes == *adiv6* ]] || return 0
	local modes=adiv6
	each 'rom=nested reset' 5 30 100 exact:line-resets
	each 'rom=cyclic fault' 100 exact:faults
	each 'hidden=1 fault' 100 exact:faults
	each rom endless full 'error:ROM tables do not end'
	each rom astray "error:the target's access ports: none"
	each rom none 'error:names no ROM table'
	each asize 3 'error:DPIDR1'
}

# An ST-Link's answers do not name their command, but have a size and mostly a status.
stlink_faults() {
	local mode
	each --lose 1 "$late"
	each --lose 2 "$late"
	each --lose 3 7 60 exact
	each --shorten 1 2 "$wrong"
	each --shorten 3 20 exact
	each --lengthen 1 2 "$wrong"
	each --lengthen 3 20 exact
	each --lie 1 2 'error:the probe reports error 0x55'
	each --lie 20 exact
	each '--code 0x10 --lie' 1 'error:sleeps (WFI): keep the chip awake if it is an STM32'
	each '--code 0x10 --lie' 3 20 exact
	each '--code 0x11 --lie' 1 "error:the target's bus answers with an error"
	each '--code 0x11 --lie' 20 exact
	each '--code 0x14 --lie' 20 exact
	each '--code 0x17 --lie' 20 exact
	each '--code 0x18 --lie' 1 'error:data arrive damaged at the target'
	each --stall 1 5 50 exact
	each --stall-out 1 5 50 exact
	each --stale 1 64 6144 8000 exact
	each --empty 1 exact
	each --mute 1 5 20 "$late"
	each --unplug-after 1 10 20 'error:the device was unplugged'
	each --slow 5 exact
	each --slow 900 "$late"
	for mode in $modes; do
		echo "$mode|exact:waits|--retries 0|wait=50"
		echo "$mode|exact:waits|--retries 0|wait=100"
	done
}

# A J-Link's answers do not name their command, and libjaylink cannot resynchronise after a failure.
jlink_faults() {
	each --lose 1 3 20 "$late"
	each --shorten 1 3 20 "$late"
	each --lengthen 1 3 20 "$wrong"
	each --lie 1 "$late"
	each --lie 3 error:
	each --refuse 1 20 'error:the probe refuses to move bits'
	each '--code 6 --refuse' 1 20 'error:the probe is out of memory'
	each --flood 1 3 20 error:
	each --stall 1 5 20 'error:the device refuses transfers (stall)'
	each --stall-out 1 5 20 'error:the device refuses transfers (stall)'
	each --stale 1 64 2048 8000 exact
	each --mute 1 5 20 "$late"
	each --unplug-after 1 10 20 'error:the device was unplugged'
	each --slow 5 exact
	each --slow 2500 "$late"
}

# The end of each answer shows whether bytes were lost or added; a few such answers are tolerated.
ftdi_faults() {
	each --lose 1 "$late"
	each --lose 3 7 either
	each --lose 20 exact
	each --shorten 1 "$late"
	each --shorten 3 either
	each --shorten 20 exact
	each --lengthen 1 2 "$wrong_chip"
	each --lengthen 3 either
	each --lengthen 20 exact
	each --lie 1 "$late"
	each --flood 1 3 20 "$late"
	each --stall 1 5 20 'error:the device refuses transfers (stall)'
	each --stall-out 1 5 20 'error:the device accepts no data'
	each --stale 1 64 2048 8000 exact
	each --mute 1 5 20 error:
	each --unplug-after 1 10 20 'error:the device was unplugged'
	each --slow 5 exact
	each --slow 2500 "$late"
}

# A stall in version 1 is not cleared: hidapi has no call for it, and no known probe halts that endpoint.
probe_faults() {
	local modes=${modes//adiv6/}
	each --lose 1 3 "$late"
	each --lose 13 either
	each --lose 60 exact
	each --shorten 3 "$wrong"
	each --shorten 20 exact
	each --lie 3 error:
	each --lie 20 exact
	each --mistake 3 "$wrong"
	each --mistake 20 exact
	modes=${modes//v1/} each --stall 1 5 50 exact
	[[ $modes != *v1* ]] || modes=v1 each --stall 1 50 "$late"
	each --lengthen 3 error:
	each --lengthen 20 exact
	each --stale 1 40 exact
	modes=${modes//v1/} each --empty 1 exact
	modes=${modes//v1/} each --wire 8 exact
	[[ $modes != *v1* ]] || modes=v1 each --wire 8 "error:the probe takes packets of 8 bytes, too few"
	each --flood 3 error:
	each --flood 20 50 "$wrong"
	each --unplug-after 1 20 50 'error:the device was unplugged'
	each --slow 5 exact
	each --slow 900 "$late"
}

# Two faults at once: some chosen by hand, some at random, the same for each seed.
pairs() {
	local wire=(wait wait-for-ever fault silent reset busy parity)
	local probe=(lose shorten lie mistake stall unplug-after slow)
	# The probe's faults in cases that must end with a capture, or with an error of the target.
	local mode first second modes=${modes//adiv6/} endured=('--lie 50' '--mistake 50' '--shorten 50')
	case $modes in
	st-*) probe=(lose shorten lie lengthen stall unplug-after slow) endured[1]='--shorten 50' ;;
	jl-*) probe=(lose shorten lengthen refuse stall unplug-after) endured=('--slow 2' '--stale 64' '--stale 1000') ;;
	ft-*) probe=(lose shorten lengthen stall unplug-after) endured=('--lengthen 50' '--shorten 20' '--lengthen 20') ;;
	esac
	for mode in $modes; do
		[[ $mode == *jtag ]] || echo "$mode|exact:waits||wait=20 parity=300"
		echo "$mode|exact:faults||fault=300 silent=1000"
		# Ends in time only if the pauses between requests, not the repeated ones, cost time.
		[[ $mode == st-* ]] || echo "$mode|exact:clocks|--slow 10|busy=1000"
		echo "$mode|exact:waits|${endured[0]}|wait=20"
		echo "$mode|exact:line-resets|${endured[1]}|reset=2000"
		echo "$mode|$asleep|${endured[2]}|zeros=2000"
		echo "$mode|error:the device was unplugged|--unplug-after 14|silent=1"
		for _ in 1 2 3; do
			first=${wire[RANDOM % (${#wire[@]})]}=$((20 + RANDOM % 1000))
			second="--${probe[RANDOM % ${#probe[@]}]} $((12 + RANDOM % 60))"
			echo "$mode|either|$second|$first"
		done
	done
}

# --- One case

# pull MODE PROBE TARGET: leaves its files in $work.
pull() {
	# Seconds of silence: 1 where an error is expected, more where the machine may be busy. Faults of the target alone cost no
	# such wait, but a pull with errors ends after this time if fewer words arrive in it than a probe on an idle machine moves.
	local timeout=3
	case ${expected-}-$2 in
	error*) timeout=1 ;;
	exact*-) timeout=30 ;;
	esac
	rm -rf "$work" && mkdir -p "$work/out"
	# Options are words.
	# shellcheck disable=SC2086
	timeout -k 1 $limit "$umockdev" --counts "$work/counts" ${options[$1]} $2 "file=$base,$folder/ram" $3 -- \
		"$tool" pull "$(source_of "$1"),timeout=$timeout" ${tool_options[$1]-} -e $elf -o "$work/out/run.bprof" \
		>"$work/output" 2>&1
}

count() { sed -n "s/^$1 //p" "$2/counts"; }

complain() {
	echo "not ok $name: $*: $(head -c 600 "$work/output" | tr '\n' ' ') (files in $work)"
	exit 1
}

is_exact() {
	cmp -s -n "$(stat -c %s "$folder/block")" "$folder/block" "$work/out/run.bprof"
}

is_clear_error() {
	[[ $(wc -l <"$work/output") == 1 && $(<"$work/output") == "bareprof: $(source_of "$mode")"* && -z $(ls -A "$work/out") ]]
}

has_occurred() {
	[[ $(count "$1" "$work") -gt $(count "$1" "$folder/plain-$mode") ]]
}

judge() {
	case $expected-$status in
	exact*-0 | either-0) is_exact || complain "the capture differs from the block" ;;
	error*-1 | either-1) is_clear_error || complain "the error is not one clear line, or a file is left" ;;
	*) complain "status $status after $seconds s" ;;
	esac
	case $expected in
	exact:*) has_occurred "${expected#exact:}" || complain "the fault did not occur" ;;
	error:*)
		grep -qF -e "${expected#error:}" "$work/output" || complain "a different error"
		[[ $seconds -le $error_limit ]] || complain "it took $seconds s"
		;;
	esac
}

run_case() {
	local mode expected probe target begin=$SECONDS
	IFS='|' read -r mode expected probe target <<<"$1"
	name="$mode $probe $target"
	work="$folder/${1//[^a-z0-9]/_}"
	pull "$mode" "$probe" "$target"
	status=$? seconds=$((SECONDS - begin))
	judge
	rm -r "$work"
	echo "ok $name: $([[ $status == 0 ]] && echo capture || echo error) after $seconds s"
}

# --- All of them

# Saves the memory of the halted firmware, and its block.
save_memory() {
	local size address mode
	rm -rf "$folder" && mkdir -p "$folder" || exit 1
	/usr/bin/python3 tests/probe-model/save.py "$MODEL_QMP" "$(realpath "$folder")/ram" $base 0x400000 || exit 1
	for mode in $modes; do
		work=$folder/plain-$mode name="$mode without a fault"
		pull "$mode" "" "" || complain "no capture"
		read -r _ size _ _ address _ <"$work/output"
		tail -c +$((address - base + 1)) "$folder/ram" | head -c "${size//,/}" >"$folder/block"
		[[ -s $folder/block ]] || complain "the block was not found"
		is_exact || complain "the capture differs from the block"
		echo "ok $name"
	done
}

if [[ $1 == case ]]; then
	run_case "$2"
	exit
fi
modes=$* swd_modes=$(printf '%s\n' "$@" | grep -v 'jtag$')
RANDOM=${FAULTS_SEED:-1}
save_memory
# Pulls with faults spend most of their time waiting.
case $modes in
st-*) own_faults=stlink_faults ;;
jl-*) own_faults=jlink_faults ;;
ft-*) own_faults=ftdi_faults ;;
*) own_faults=probe_faults ;;
esac
{ wire_faults && adiv6_faults && $own_faults && pairs; } | tr '\n' '\0' |
	xargs -0 -n 1 -P 4 bash "$0" "$umockdev" "$tool" "$folder" case
