#!/bin/bash
# SPDX-License-Identifier: MIT
# landings.sh BOARD FIRMWARE: runs a stress firmware, which checks its own counts, and checks that interrupts hit every
# instruction of the recorder that they can hit.
board=$1 firmware=$2
work_of=$board/$firmware
source tests/emulated/support.sh

elf=build/firmware/$board/$firmware.elf
run=$work/$board-$firmware

objdump=$(cross_of "$elf")objdump

# The addresses of the return instructions of a function.
returns_of() {
	"$objdump" -d --disassemble="$1" "$elf" | awk '/\t(mret|ret|bx\tlr|(pop|ldmia.*)\t.*pc})/ { sub(":", "", $1); print $1 }'
}

# The sampling interrupt, which is never interrupted, ends where its entry returns or where its tail call returns.
resume=$(returns_of board_sampling_interrupt)
[[ -n $resume ]] || resume=$(returns_of __wrap_bareprof_tick)
[[ $resume =~ ^[0-9a-f]+$ ]] || not_ok "the sampling interrupt returns in one place: $board, $firmware: in ${resume:-none}"
"$objdump" -d -j .text.bareprof "$elf" >"$run.code"
pause=$((16#$(address_of "$elf" board_sampling_interrupt) & ~1))
start=$((16#$(address_of "$elf" bareprof_start) & ~1))
first=$(address_of "$elf" bareprof_code_start)
end=$(address_of "$elf" bareprof_code_end)
plugin=$(printf 'build/qemu/count.so,output=%s,start=%x,first=%s,end=%s,pause=%x,resume=%s' \
	"$run.counts" "$start" "$first" "$end" "$pause" "$resume")

run_self_checking_firmware "$board" "$firmware" --timeout 500 --plugin "$plugin"
perl tests/emulated/landings.pl "$board, $firmware" "$run" || failures=$((failures + 1))
exit $((failures != 0))
