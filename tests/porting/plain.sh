#!/bin/bash
# SPDX-License-Identifier: MIT
# A project with make and its own linker script, with each way to sample.
source tests/porting/support.sh

# builds MACHINE SAMPLING: with the file SAMPLING for sampling.c.
builds() {
	local folder=$work/$1-$2
	project "$1" "$folder"
	[[ $2 == sampling ]] || mv "$folder/$2.c" "$folder/sampling.c"
	if make -C "$folder" BAREPROF="$PWD" >"$folder/make.log" 2>&1; then
		runs "$1" "$folder" "$folder/fw.elf" "make: $1, $2.c"
	else
		not_ok "make: $1, $2.c: $(grep -m 1 -i error "$folder/make.log")"
	fi
}

builds mps2 sampling
builds mps2 sampling-systick
builds virt sampling
builds virt sampling-own-handler
exit $((failures != 0))
