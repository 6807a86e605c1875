# Blue Pill: STM32F103C8, Cortex-M3 at 8 MHz (the reset default), 20 KB of RAM. QEMU does not know it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m3
BOARD_SOURCES := $(BOARD_FOLDER)/board.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/stm32
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU :=
