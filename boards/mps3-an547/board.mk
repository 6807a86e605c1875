# Arm MPS3 with the AN547 FPGA image: Cortex-M55 with FPU and MVE at 32 MHz. BOARD_QEMU stays on one line,
# tests/qemu/run.sh reads it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m55f
BOARD_SOURCES := $(BOARD_FOLDER)/board.c boards/families/mps2/console.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/mps2
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M mps3-an547
