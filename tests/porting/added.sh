#!/bin/bash
# SPDX-License-Identifier: MIT
# A linker script that cannot be changed, and docs/RTOS-BUILDS.md's second script that adds to it.
source tests/porting/support.sh

for machine in mps2 virt; do
	folder=$work/$machine name="a second linker script: $machine"
	project "$machine" "$folder"
	shown docs/RTOS-BUILDS.md added.ld >"$folder/added.ld"
	sed -i '/REGION_ALIAS\|INCLUDE/d' "$folder/link.ld"
	sed -i 's/ -L [^ ]*/ -Wl,-T,added.ld/' "$folder/Makefile"
	if ! make -C "$folder" BAREPROF="$PWD" >"$folder/make.log" 2>&1; then
		not_ok "$name: $(grep -m 1 -i error "$folder/make.log")"
		continue
	fi
	runs "$machine" "$folder" "$folder/fw.elf" "$name"
	if grep -q '<bareprof>' "$folder/run.txt"; then
		ok "$name: the recorder has its row"
	else
		not_ok "$name: the recorder has no row of its own"
	fi
done
exit $((failures != 0))
