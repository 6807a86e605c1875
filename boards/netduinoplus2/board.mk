# Netduino Plus 2: STM32F405RG, Cortex-M4F at 168 MHz, 128 KB of RAM. The lines that begin with BOARD_QEMU stay on one
# line, tests/qemu/run.sh reads them. The console is the sixth serial port. QEMU's timers run at 1 GHz, 12 times as fast
# as the chip's. Shorter instructions keep their number between two interrupts the same.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m4f
BOARD_SOURCES := $(BOARD_FOLDER)/board.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/stm32
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
BOARD_QEMU := qemu-system-arm -M netduinoplus2 -serial null -serial null -serial null -serial null -serial null
BOARD_QEMU_SHIFT := 3
