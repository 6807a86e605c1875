#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a firmware of build/probe-model/ in QEMU, and a command that uses its memory meanwhile.
#
#	tests/probe-model/firmware.sh FOLDER FIRMWARE.elf COMMAND [ARGUMENT]...
#
# FIRMWARE is the demo with LIVE-1. FOLDER keeps the RAM, as a file, and QEMU's sockets; its path must be short enough for a
# socket. The environment of COMMAND has MODEL_TARGET, the options of swd.h for a target with this memory; MODEL_QMP, a
# socket of QEMU's monitor; and MODEL_ELF, the firmware.
set -u
folder=$1 firmware=$2
shift 2
mkdir -p "$folder"
export MODEL_TARGET="file=0x21000000,$folder/ram elf=$firmware qmp=$folder/target.qmp" MODEL_QMP=$folder/test.qmp MODEL_ELF=$firmware
exec "$(dirname "$0")/../qemu/run.sh" --ram "$folder/ram" --qmp "$folder/target.qmp" --qmp "$MODEL_QMP" \
	--console "$folder/console" --until 'demo: round 16' mps2-an385 "$firmware" "$@"
