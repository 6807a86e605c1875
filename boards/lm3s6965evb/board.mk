# Luminary Micro LM3S6965 evaluation board: Cortex-M3 at 50 MHz, 64 KB of RAM. BOARD_QEMU stays on one line,
# tests/qemu/run.sh reads it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m3
BOARD_SOURCES := $(BOARD_FOLDER)/board.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/pl011
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M lm3s6965evb
