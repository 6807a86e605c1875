# BBC micro:bit version 1: nRF51822, Cortex-M0 at 16 MHz, 16 KB of RAM. BOARD_QEMU stays on one line, tests/qemu/run.sh
# reads it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m0
BOARD_SOURCES := boards/nrf5/board.c
BOARD_FOLDERS := $(BOARD_FOLDER)
# GCC saves r8 to r11 of a v6-M core through lr, before the -pg hook reads the caller from there (GCC 12): leave them unused.
BOARD_PG_FLAGS := -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M microbit
