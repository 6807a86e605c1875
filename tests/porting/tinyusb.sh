#!/bin/bash
# SPDX-License-Identifier: MIT
# The code that package/tinyusb/README.md shows, and the files next to it, compile against TinyUSB's declarations, with
# the cores and compilers of the firmware.
source tests/porting/support.sh
page=package/tinyusb/README.md

compilers=("arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb" "arm-none-eabi-gcc -mcpu=cortex-m33 -mthumb"
	"riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32" "clang --target=arm-none-eabi -mcpu=cortex-m4 -mthumb")

for pipe in cdc vendor; do
	folder=$work/tinyusb/$pipe
	rm -rf "$folder"
	mkdir -p "$folder"
	for file in tusb_config.h usb_descriptors.c main.c; do
		shown "$page" "$pipe/$file" >"$folder/$file" || not_ok "$page shows no $pipe/$file"
	done
	cp package/tinyusb/bareprof_tinyusb.h "package/tinyusb/bareprof_$pipe.c" "$folder"
	for compiler in "${compilers[@]}"; do
		for file in "$folder"/*.c; do
			name="${file##*/} of $pipe: $compiler"
			# shellcheck disable=SC2086 # words of the compiler
			if $compiler -std=c11 -ffreestanding -Wall -Wextra -Wpedantic -Wconversion -Werror \
				-include "$folder/tusb_config.h" -Itests/unit/target/tinyusb -Iinclude -c "$file" -o "$file.o" \
				2>"$file.log"; then
				ok "$name"
			else
				not_ok "$name: $(grep -m 1 error "$file.log")"
			fi
		done
	done
done
