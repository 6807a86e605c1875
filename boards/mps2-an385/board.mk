# Arm MPS2 with the AN385 FPGA image: Cortex-M3 at 25 MHz. BOARD_QEMU stays on one line, tests/qemu/run.sh reads it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m3
BOARD_SOURCES := boards/families/mps2/board.c boards/families/mps2/console.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/mps2-v7m boards/families/mps2
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M mps2-an385
