#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a firmware of build/probe-model/ in QEMU, and a command that uses its memory meanwhile.
#
#	tests/probe-model/firmware.sh FOLDER FIRMWARE.elf COMMAND [ARGUMENT]...
#
# FIRMWARE is the demo with LIVE-1, for qemu-virt-rv32 if its path contains that name, else for mps2-an385. FOLDER keeps the
# RAM, as a file, and QEMU's sockets; its path must be short enough for a socket. The environment of COMMAND has
# MODEL_TARGET, the options of swd.h for a target with this memory; MODEL_QMP, a socket of QEMU's monitor; MODEL_ELF, the
# firmware; and MODEL_BLOCK and MODEL_SIZE, memory that begins with its block.
set -u
folder=$1 firmware=$2
shift 2
mkdir -p "$folder"
board=mps2-an385 target=file=0x21000000
export MODEL_BLOCK=0x21000000 MODEL_SIZE=32768
if [[ $firmware == */qemu-virt-rv32/* ]]; then
	board=qemu-virt-rv32 target="start=jtag riscv=1 file=0x80000000"
	MODEL_BLOCK=0x80400000 MODEL_SIZE=40960
fi
export MODEL_TARGET="$target,$folder/ram elf=$firmware qmp=$folder/target.qmp" MODEL_QMP=$folder/test.qmp MODEL_ELF=$firmware
exec "$(dirname "$0")/../qemu/run.sh" --ram "$folder/ram" --qmp "$folder/target.qmp" --qmp "$MODEL_QMP" \
	--console "$folder/console" --until 'demo: round 16' "$board" "$firmware" "$@"
