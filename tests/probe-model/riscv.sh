#!/bin/bash
# SPDX-License-Identifier: MIT
# riscv.sh UMOCKDEV FOLDER TOOL: captures of a RISC-V firmware in QEMU (firmware.sh), over JTAG through models of a probe and of a
# debug module: they equal the memory that QEMU saves, even with faults, or one line states why there is none.
source tests/probe-model/captures.sh
[[ $scheme != ftdi ]] || usual+=(--wires jtag)

kinds=("${usual[*]}")
[[ $scheme != cmsis-dap ]] || kinds=("--packet 64" "--packet 512")
pull $scheme
for kind in "${kinds[@]}"; do
	# Options are words.
	# shellcheck disable=SC2086
	expect_both "through a probe with $kind" probe $kind -- "${words[@]}"
	expect_quiet "through a probe with $kind" writes=0
done
# Reads in a row take a request per word and one more, each of 3 clocks, 34 bits and the address, and 1 clock.
(($(count requests) * 10 <= $(count words) * 11))
verdict $? "at most 1.1 requests a word" "$(count requests) requests, $(count words) words"
expect_clocks "through a probe with ${kinds[-1]}" 450

pull $scheme --verbose
run probe "${usual[@]}" -- "${words[@]}" && grep -q '^sbdata0      read  x [0-9]* *: OK$' "$output" && grep -q '^dmstatus     read  0x' "$output"
verdict $? "--verbose prints requests" "it does not"

save running cont
pull $scheme --halt
run probe "${usual[@]}" -- "${words[@]}" && has_counts halts=1 dm-active=0 && is_running
verdict $? "a hart that was halted runs again" "it does not, or no capture"
pull $scheme --reset-target
run probe "${usual[@]}" -- "${words[@]}" && has_counts resets=1 && is_running
verdict $? "the target is reset" "it is not, or no capture"
run probe "${usual[@]}" deaf=1 -- "${words[@]}" && has_counts resets=1 in-reset=0 && is_running
verdict $? "the target is reset by its pin if ndmreset does nothing" "it is not, or no capture"
pull $scheme,timeout=1 --reset-target
run probe "${usual[@]}" unplug=30 -- "${words[@]}"
[[ $? == 1 && ! -e $capture && $(wc -l <"$output") == 1 ]] && grep -q 'the target does not answer' "$output"
verdict $? "a target that is unplugged before its reset is reported" "output"
pull $scheme --connect-under-reset --wait 0.2
run probe "${usual[@]}" pin-resets-dm=1 -- "${words[@]}" && has_counts resets=1 in-reset=0 && is_running
verdict $? "a reset pin may reset the debug module" "no capture"
pull $scheme --halt
run probe "${usual[@]}" halted=1 -- "${words[@]}" && has_counts halts=1 && ! is_running
verdict $? "a hart that a debugger had halted stays halted" "it runs, or no capture"
save halted cont
pull $scheme
run probe "${usual[@]}" active=1 -- "${words[@]}" && has_counts dm-active=1
verdict $? "a debug module that a debugger uses stays active" "it does not, or no capture"
pull $scheme --reset-target --halt --wait 0.1
expect_interruptible "a hart runs whenever its reset or halt is interrupted" "$(seq -s ' ' 40)" "${usual[@]}" active=1 -- "${words[@]}"
expect_interruptible "so does one that reads memory with instructions" "$(seq -s ' ' 10 50)" "${usual[@]}" bus=0 progbuf=3 -- "${words[@]}"
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

# expect_capture TARGET...: the capture of the halted machine is correct despite this target's faults.
expect_capture() {
	pull $scheme
	save saved
	run probe "${usual[@]}" "$@" -- "${words[@]}" && is_saved saved
	verdict $? "a correct capture with $*" "no capture, or different bytes"
	save saved cont
}

for fault in bus-busy=20 bus-busy=100 dmi-busy=5 dmi-busy=60 dmi-idle=7 "dmi-busy=5 dmi-idle=3" dmi-fault=500 fault=1000 silent=500 \
	"boundary=6" abits=6 abits=30 dm=3 "bus=4"; do
	# Options are words.
	# shellcheck disable=SC2086
	expect_capture $fault
done

# Without a system bus the halted hart reads its memory itself.
for way in abstract=1 "abstract=1 xlen=64" "abstract=1 command-busy=60" progbuf=3 "progbuf=16 xlen=64" "progbuf=3 command-busy=60" \
	"progbuf=3 bus=1 dmi-busy=30 dmi-fault=500"; do
	pull $scheme --halt
	save before cont
	# shellcheck disable=SC2086
	run probe "${usual[@]}" bus=0 $way -- "${words[@]}" && has_counts halts=1 changed-registers=0 && is_running &&
		save after cont && perl tests/probe-model/between.pl "$folder/before" "$capture" "$folder/after" >>"$output" 2>&1
	verdict $? "a correct capture by the halted hart with $way" "no capture, wrong values, or changed registers"
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

expect_error "only while the hart is halted" bus=0
expect_error "only while the hart is halted" bus=1 progbuf=3
expect_halted_error() {
	local text=$1
	shift
	pull $scheme,timeout=1 --halt
	run probe "${usual[@]}" bus=0 "$@" -- "${words[@]}"
	[[ $? == 1 && $(wc -l <"$output") == 1 && ! -e $capture ]] && grep -qF -e "$text" "$output" && is_running
	verdict $? "an error of the halted hart with $*, which runs again" "no error, another one, or the hart is halted"
}

expect_halted_error "the debug module does not support it"
expect_halted_error "no memory is there" progbuf=3 fault=1
expect_error "a version that is not supported" dm=1
expect_error "a system bus that cannot read while it runs" bus-zeros=1
expect_error "memory stays busy" bus-busy=100000
expect_error "debug module stays busy" dmi-busy=100000
expect_error "fails requests" dmi-fault=3
expect_error "no memory is there" fault=1
MODEL_TARGET=${MODEL_TARGET/riscv=1/riscv=0} expect_error "no device of the JTAG chain is supported (IDCODE 0x120034e5);" idcode=0x120034e5
expect_error "the target does not answer" silent=5
expect_error "the target does not answer" unplug=300
expect_error "the device was unplugged" --unplug-after 20
pull $scheme --ap 0
run probe "${usual[@]}" -- "${words[@]}"
[[ $? == 2 && ! -e $capture ]] && grep -q 'a RISC-V target has no access port to choose' "$output" && has_counts connected=0
verdict $? "an access port of a RISC-V target cannot be chosen" "output"
pull $scheme --keep-awake
run probe "${usual[@]}" -- "${words[@]}"
[[ $? == 2 && ! -e $capture ]] && grep -q 'only chips with a Cortex-M' "$output"
verdict $? "a RISC-V target cannot be kept awake" "output"

sample=("$tool" sample $scheme -e "$MODEL_ELF" -o "$capture" --seconds 1 --rate 100)
run probe "${usual[@]}" -- "${sample[@]}"
[[ $? == 1 && ! -e $capture ]] && grep -q 'only by halting it for each read' "$output"
verdict $? "a hart is not sampled unless it may be halted" "output"
run probe "${usual[@]}" -- "${sample[@]}" --halt && is_running && [[ $(count halts) -gt 1 ]] &&
	grep -q '^the core was halted for at most [0-9.]* % of the time, and at most [0-9.]* ms at once$' "$output" &&
	"$tool" report "$MODEL_ELF" "$capture" | grep -q "^Samples   $(count halts), "
verdict $? "a hart is sampled by halting it, and left running" "output"
run probe "${usual[@]}" bus=0 progbuf=3 -- "${sample[@]}" --halt && is_running && [[ $(count halts) -gt 1 ]] && has_counts changed-registers=0
verdict $? "a hart without a system bus is sampled" "output"
# The stack pointer is in the RAM of the firmware.
stacks=("${sample[@]}" --halt --stacks=64)
for way in "" "bus=0 progbuf=3"; do
	# shellcheck disable=SC2086
	run probe "${usual[@]}" stack=0x80400100 $way -- "${stacks[@]}" && is_running && has_counts changed-registers=0 &&
		"$tool" info "$capture" | grep -q "^  stacks      $(count halts) offered, of which 0 with a bad stack pointer$" &&
		"$tool" info "$capture" | grep -q "^  slices      $(count halts) kept, room for $(count halts) with 64 bytes"
	verdict $? "stacks are copied ${way:-through the system bus}" "output, or changed registers"
done
run probe "${usual[@]}" stack=0x12345678 -- "${stacks[@]}" && is_running &&
	"$tool" info "$capture" | grep -q "^  stacks      $(count halts) offered, of which $(count halts) with a bad stack pointer$"
verdict $? "a stack that is in no memory leaves registers only" "output"
run probe "${usual[@]}" -- "${sample[@]}" --stacks
[[ $? == 2 && ! -e $capture ]] && grep -q 'give --halt, too ' "$output" && has_counts connected=0
verdict $? "stacks are not copied unless the hart may be halted" "output"
