#!/bin/bash
# SPDX-License-Identifier: MIT
# riscv.sh UMOCKDEV FOLDER TOOL: captures of a RISC-V firmware in QEMU (firmware.sh), by JTAG through models of a probe and of a
# debug module: they equal the memory that QEMU saves, also with faults, or one line says why there is none.
source tests/probe-model/captures.sh

kinds=("${usual[*]}")
[[ $scheme != cmsis-dap ]] || kinds=("--packet 64" "--packet 512")
pull $scheme
for kind in "${kinds[@]}"; do
	# Options are words.
	# shellcheck disable=SC2086
	expect_both "by a probe with $kind" probe $kind -- "${words[@]}"
	expect_quiet "by a probe with $kind" writes=0
done
# Reads in a row take a request a word and one more, each of 3 clocks, 34 bits and the address, and 1 clock.
(($(count requests) * 10 <= $(count words) * 11))
verdict $? "at most 1.1 requests a word" "$(count requests) requests, $(count words) words"
expect_clocks "by a probe with ${kinds[-1]}" 450

save running cont
pull $scheme --halt
run probe "${usual[@]}" -- "${words[@]}" && has_counts halts=1 && is_running
verdict $? "a hart that was halted runs again" "it does not, or no capture"
pull $scheme --reset-target
run probe "${usual[@]}" -- "${words[@]}" && has_counts resets=1 && is_running
verdict $? "the target is reset" "it is not, or no capture"
save running cont
pull $scheme --stop
run probe "${usual[@]}" -- "${words[@]}"
save stopped cont
is_saved_but_a_call stopped && grep -q ', stopped$' "$output"
verdict $? "--stop stops the profile of a running machine" "it does not, or different bytes"
pull $scheme --start
run probe "${usual[@]}" -- "${words[@]}"
pull $scheme --core 1
MODEL_TARGET=${MODEL_TARGET/riscv=1/riscv=2} run probe "${usual[@]}" -- "${words[@]}"
verdict $? "the second hart is reached" "it is not"

# expect_capture TARGET...: the capture of the halted machine is right despite this target's faults.
expect_capture() {
	pull $scheme
	save saved
	run probe "${usual[@]}" "$@" -- "${words[@]}" && is_saved saved
	verdict $? "a right capture with $*" "no capture, or different bytes"
	save saved cont
}

for fault in bus-busy=20 bus-busy=100 dmi-busy=5 dmi-busy=60 dmi-idle=7 "dmi-busy=5 dmi-idle=3" dmi-fault=500 fault=1000 silent=500 \
	"boundary=6" abits=6 abits=30 dm=3 "bus=4"; do
	# Options are words.
	# shellcheck disable=SC2086
	expect_capture $fault
done

# expect_error TEXT [OPTION]... [TARGET]...: no capture, and one line with the text.
expect_error() {
	local text=$1
	shift
	pull "$scheme,timeout=1"
	run probe "${usual[@]}" "$@" -- "${words[@]}"
	[[ $? == 1 && $(wc -l <"$output") == 1 && ! -e $capture ]] && grep -qF -e "$text" "$output"
	verdict $? "an error with $*" "no error, or another one"
}

expect_error "no system bus for words" bus=0
expect_error "no system bus for words" bus=1
expect_error "a version that is not supported" dm=1
expect_error "a system bus that cannot read while it runs" bus-zeros=1
expect_error "bus stays busy" bus-busy=100000
expect_error "debug module stays busy" dmi-busy=100000
expect_error "fails requests" dmi-fault=3
expect_error "no memory is there" fault=1
expect_error "the target does not answer" silent=5
expect_error "the target does not answer" unplug=300
expect_error "the device was unplugged" --unplug-after 20
pull $scheme --keep-awake
run probe "${usual[@]}" -- "${words[@]}"
[[ $? == 2 && ! -e $capture ]] && grep -q 'only chips with a Cortex-M' "$output"
verdict $? "a RISC-V target cannot be kept awake" "output"

sample=("$tool" sample $scheme -e "$MODEL_ELF" -o "$capture" --seconds 1 --rate 100)
run probe "${usual[@]}" -- "${sample[@]}"
[[ $? == 1 && ! -e $capture ]] && grep -q 'only by halting it for each read' "$output"
verdict $? "a hart is not sampled unless it may be halted" "output"
run probe "${usual[@]}" -- "${sample[@]}" --halt && is_running && [[ $(count halts) -gt 1 ]] &&
	grep -q '^the core was halted for [0-9.]* % of the time, at most$' "$output" &&
	"$tool" report "$MODEL_ELF" "$capture" | grep -q "^Samples   $(count halts), "
verdict $? "a hart is sampled by halting it, and left running" "output"
