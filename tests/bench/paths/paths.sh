#!/bin/bash
# SPDX-License-Identifier: MIT
# paths.sh BOARD...: instructions of a call and of a tick that find their slot at once, and of a poll without input, as
# QEMU executed them: lines `FIGURE BOARD NUMBER`.
#	instructions-call   from the call site's push {lr} (mv a0,ra) to the return into the function
#	instructions-tick   from the interrupt's entry to its return, with the board's acknowledge
#	instructions-poll   from bareprof_poll() to its return, with a function of the pipe that has nothing to read
#	stack-tick          bytes of stack of that interrupt, with what the core puts there itself
hits=${HITS_FOLDER:-build/firmware}
work_of=$hits
source tests/emulated/support.sh

# The binutils of the board's compiler.
objdump_of() {
	case $(readelf -h "$1") in
	*"Machine: "*RISC-V*) echo riscv64-unknown-elf-objdump ;;
	*) echo arm-none-eabi-objdump ;;
	esac
}

for board; do
	elf=$hits/$board/hits.elf run=$work/$board
	plugin=$(printf 'build/qemu/count.so,output=%s,start=%x,stop=%x' "$run.counts" \
		$((16#$(address_of "$elf" measured_begin) & ~1)) $((16#$(address_of "$elf" measured_end) & ~1)))
	if ! tests/qemu/run.sh --timeout 300 --console "$run.console" --plugin "$plugin" "$board" "$elf"; then
		cat "$run.console" >&2
		exit 1
	fi
	perl tests/bench/paths/paths.pl "$board" "$(objdump_of "$elf")" "$elf" "$run.counts" "$run.console" || exit 1
done
