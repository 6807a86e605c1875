# A board to copy: what each line says is in docs/PORTING.md. Without BOARD_QEMU no emulator knows the board.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m4
BOARD_SOURCES := boards/template/board.c
BOARD_FOLDERS := boards/template
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
