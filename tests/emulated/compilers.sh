#!/bin/bash
# SPDX-License-Identifier: MIT
# Calls in the profile equal the firmware's own counts, for all compilers, languages and options of firmware and
# library.
source tests/emulated/support.sh
run_counting_calls

# Some of the calls compared above are made without a call instruction: a function that is entered by a tail jump is
# attributed to the caller of the function that jumps.
while IFS='|' read -r board firmware kind arc; do
	name="$kind are kept: $board, $firmware"
	output=$work/$board-$firmware
	if difference=$(perl tests/emulated/calls.pl "$output.console" "$output.json" "$arc"); then
		ok "$name ($arc)"
	else
		not_ok "$name: $difference"
	fi
done <<'END'
mps2-an385|cpp|calls from startup code|reset_handler calls (anonymous namespace)::prepare()
mps2-an385|cpp|calls from exception entry|<exception> calls work_interrupt
mps2-an385|cpp|tail calls|<exception> calls (anonymous namespace)::Drift::notify(unsigned long)
mps2-an385|cpp+clang|tail calls|<exception> calls (anonymous namespace)::Drift::notify(unsigned int)
qemu-virt-rv32|cpp|calls from startup code|startup calls (anonymous namespace)::prepare()
qemu-virt-rv32|cpp|calls from exception entry|board_external_interrupt calls work_interrupt
qemu-virt-rv32|cpp|tail calls|board_external_interrupt calls (anonymous namespace)::Drift::notify(unsigned long)
END

# docs/PORTING.md says so. If this fails, more works than the page claims.
for target in arm-none-eabi riscv32-unknown-elf; do
	name="clang's driver drops -pg for $target"
	if echo 'int function(int number) { return number; }' | clang --target="$target" -pg -S -x c -o "$work/pg.s" - &&
		! grep -q mcount "$work/pg.s"; then
		ok "$name"
	else
		not_ok "$name: it works"
	fi
done
exit $((failures != 0))
