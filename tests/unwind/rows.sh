#!/bin/sh
# SPDX-License-Identifier: MIT
# rows.sh PRINT_ROWS ELF: compares the rows that host/firmware/unwind/ reads from an ELF with objdump's.
set -eu
case $(readelf -hW "$2") in
*ARM*) objdump=arm-none-eabi-objdump ;;
*) objdump=riscv64-unknown-elf-objdump ;;
esac
perl tests/unwind/rows.pl $objdump "$1" "$2"
