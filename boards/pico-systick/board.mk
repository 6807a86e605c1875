# Raspberry Pi Pico as in boards/pico, but sampled by SysTick.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m0plus
BOARD_SOURCES := boards/pico/board.c $(BOARD_FOLDER)/sampling.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/pico boards/families/pl011
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU :=
BOARD_EMULATOR := rp2040js # suite rp2040js
