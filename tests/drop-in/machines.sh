#!/bin/bash
# SPDX-License-Identifier: MIT
# A project without a linker script, whose files are all compiled with -pg, on machines that cubemx.sh does not cover.
# Its profile must have exactly the calls of tests/porting/work.c, and most of the time in them.
source tests/emulated/support.sh
sources=(tests/drop-in/machines/main.c tests/porting/work.c build/drop-in/bareprof.c build/drop-in/bareprof_entry.S)

# runs BOARD TIMER MACRO CLOCK_HZ COMPILER OPTION...
runs() {
	local elf=$work/$1.elf run=$work/$1 found
	if ! "${@:5}" -Og -g -pg -ffreestanding -ffunction-sections -Wall -Wextra -Werror -Ibuild/drop-in -Itests/drop-in/machines \
		"-DHEADER=\"bareprof_timer_$2.h\"" "-DTIMER=$3" "-DCLOCK_HZ=$4" "${sources[@]}" -nostdlib -static \
		-Wl,--gc-sections,-e,entry -o "$elf" >"$run.log" 2>&1; then
		not_ok "$1 by the timer $2: $(grep -m 1 -i error "$run.log")"
	elif ! tests/qemu/run.sh --until done --timeout 60 "$1" "$elf" build/bareprof pull 'gdb:127.0.0.1:{port}' -e "$elf" -o "$run.bprof" \
		>"$run.log" 2>&1 || ! build/bareprof export json "$elf" "$run.bprof" >"$run.json" 2>>"$run.log"; then
		not_ok "$1 by the timer $2: no profile: $(tail -n 1 "$run.log")"
	elif ! found=$(perl tests/porting/expect.pl main "$run.json"); then
		not_ok "$1 by the timer $2: $found"
	else
		ok "$1 by the timer $2 ($found)"
	fi
}

riscv=(riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32 -mcmodel=medany tests/drop-in/machines/riscv.c
	-Wl,--nmagic,--no-relax)
mtimer='BAREPROF_TIMER_MTIMER(timer_interrupt, 0x0200BFF8, 0x02004000)'
mkdir -p "$work"
runs microbit nrf 'BAREPROF_TIMER_NRF(timer_interrupt, 0x40008000, 8)' 16000000 arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb \
	-ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11 tests/drop-in/machines/nrf51.c \
	-Wl,--section-start=.entry=0,-Ttext=0x100,-Tdata=0x20000000
runs qemu-virt-rv32 mtimer "$mtimer" 10000000 "${riscv[@]}" -DSTACK=0x80800000 \
	-Wl,--section-start=.entry=0x80000000,-Ttext=0x80000100
runs hifive1 mtimer "$mtimer" 10000000 "${riscv[@]}" -DSTACK=0x80004000 -DHIFIVE1 -msmall-data-limit=0 \
	-Wl,--section-start=.entry=0x20400000,-Ttext=0x20400100,-Tbss=0x80000000
exit $((failures != 0))
