#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh NAME [LD-OPTION]...: makes NAME.elf from NAME.s and NAME.bprof from NAME.txt, in the current folder.
set -eu
name=$1
shift
inputs=$(dirname "$0")
arm-none-eabi-as "$inputs/$name.s" -o "$name.o"
arm-none-eabi-ld -Ttext=0x8000 -e start "$@" "$name.o" -o "$name.elf"
"$ROOT/build/tests/make_capture" <"$inputs/$name.txt" >"$name.bprof"
