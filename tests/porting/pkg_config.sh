#!/bin/bash
# SPDX-License-Identifier: MIT
# The library, installed and then moved, found by pkg-config.
source tests/porting/support.sh

install_target >"$work/install.log" 2>&1 || not_ok "make install-target: $(tail -n 1 "$work/install.log")"

# builds MACHINE NAME [ARGUMENT]...: make with these arguments.
builds() {
	local folder=$work/$1-$2 name="pkg-config: $1, $2" machine=$1
	shift 2
	project "$machine" "$folder"
	if PKG_CONFIG_PATH=$prefix/lib/pkgconfig make -C "$folder" -f pkg-config.mk "$@" >"$folder/make.log" 2>&1; then
		runs "$machine" "$folder" "$folder/fw.elf" "$name"
	else
		not_ok "$name: $(grep -m 1 -i error "$folder/make.log")"
	fi
}

builds mps2 installed
builds virt installed
builds mps2 contexts CORE=arm_m-cortex-m4f+contexts CC="arm-none-eabi-gcc -DBAREPROF_CONTEXTS=4"
builds mps2 stacks CORE=arm_m-cortex-m4f+stacks CC="arm-none-eabi-gcc -DBAREPROF_STACKS=8"

name="pkg-config: options for a v6-M core keep r8 to r11 free"
options=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --variable=instrument bareprof-arm_m-cortex-m0)
if [[ $options == "-pg -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11" ]]; then
	ok "$name"
else
	not_ok "$name: $options"
fi
exit $((failures != 0))
