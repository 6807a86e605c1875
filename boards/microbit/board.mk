# BBC micro:bit version 1: nRF51822, Cortex-M0 at 16 MHz, 16 KB of RAM. BOARD_QEMU stays on one line, tests/qemu/run.sh
# reads it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m0
BOARD_SOURCES := boards/families/nrf5/board.c
BOARD_FOLDERS := $(BOARD_FOLDER)
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M microbit
