# Raspberry Pi Pico: RP2040, Cortex-M0+ at 12 MHz (the crystal), 264 KB of RAM, all of the image in RAM. QEMU does not know
# it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m0plus
BOARD_SOURCES := $(addprefix $(BOARD_FOLDER)/,board.c sampling.c)
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/pl011
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU :=
BOARD_EMULATOR := rp2040js # suite rp2040js
