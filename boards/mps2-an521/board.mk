# Arm MPS2 with the AN521 FPGA image: two Cortex-M33 at 20 MHz, Secure state. Core 0, which has neither FPU nor DSP
# extension, runs; core 1 waits for board_second_core_start(). BOARD_QEMU stays on one line, tests/qemu/run.sh reads it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m33+nodsp
BOARD_SOURCES := $(BOARD_FOLDER)/second.c boards/families/mps2/board.c boards/families/mps2/console.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/mps2-v8m boards/families/mps2
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M mps2-an521
