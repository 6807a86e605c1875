#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh PRINT_CALLS ELF: compares the calls that host/firmware/calls/ finds in an ELF with objdump's disassembly and, if
# the linker kept its relocations, function addresses with these.
set -eu
case $(readelf -hW "$2") in
*ARM*) objdump=arm-none-eabi-objdump ;;
*) objdump=riscv64-unknown-elf-objdump ;;
esac
perl tests/calls/compare.pl $objdump "$1" "$2"
case $2 in
build/calls/libgcc*) ;; # no pointers to functions
build/calls/*) perl tests/calls/addresses.pl "$1" "$2" ;;
esac
