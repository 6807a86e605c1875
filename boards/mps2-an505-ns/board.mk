# Arm MPS2 with the AN505 FPGA image (Cortex-M33), firmware in the Non-secure state: boot.c releases memory and devices
# to it and starts it. BOARD_QEMU stays on one line, tests/qemu/run.sh reads it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m33f
BOARD_SOURCES := $(BOARD_FOLDER)/boot.c boards/families/mps2-v8m/worlds.c boards/families/mps2/board.c boards/families/mps2/console.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/mps2-v8m boards/families/mps2
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M mps2-an505
