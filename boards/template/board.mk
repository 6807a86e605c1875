# A board to copy. BOARD_FOLDER is this folder.
# The ISA's folder in target/isa/, and the CPU as `make target` takes it.
BOARD_ISA := arm_m
BOARD_CPU := cortex-m4
# Sources that are compiled with the firmware, and folders of headers and of memory.ld.
BOARD_SOURCES := $(BOARD_FOLDER)/board.c
BOARD_FOLDERS := $(BOARD_FOLDER)
# linker/cortex-m.ld or linker/riscv.ld; it includes memory.ld.
BOARD_LINKER_SCRIPT := linker/cortex-m.ld
# The emulator and its machine, on one line, such as qemu-system-arm -M netduinoplus2. Empty: no emulator knows the board.
BOARD_QEMU :=
# An instruction takes 2^N ns of QEMU's time: N, if not 5, for a machine whose timers are much faster than the chip's.
BOARD_QEMU_SHIFT :=
