# SiFive HiFive1: FE310-G000, RV32IMAC, 16 KB of RAM. BOARD_QEMU stays on one line, tests/qemu/run.sh reads it. QEMU's mtime
# runs at 10 MHz, 305 times as fast as the chip's.
BOARD_ISA := riscv
BOARD_CPU := rv32imac
BOARD_SOURCES := $(BOARD_FOLDER)/board.c
BOARD_FOLDERS := $(BOARD_FOLDER)
BOARD_LINKER_SCRIPT := linker/riscv.ld
BOARD_QEMU := qemu-system-riscv32 -M sifive_e
