# Nordic nRF52840-DK: nRF52840, Cortex-M4F at 64 MHz, 256 KB of RAM. QEMU does not know it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m4f
BOARD_SOURCES := boards/families/nrf5/board.c
BOARD_FOLDERS := $(BOARD_FOLDER)
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU :=
