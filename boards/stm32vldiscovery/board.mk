# STM32VLDISCOVERY: STM32F100RB, Cortex-M3 at 24 MHz, 8 KB of RAM. BOARD_QEMU stays on one line, tests/qemu/run.sh reads
# it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m3
BOARD_SOURCES := $(BOARD_FOLDER)/board.c $(BOARD_FOLDER)/deadlines.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/stm32
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M stm32vldiscovery
