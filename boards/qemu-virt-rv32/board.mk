# QEMU's RISC-V "virt" machine with an RV32IMAC hart. The RTC counts virtual time, so that runs repeat exactly.
# BOARD_QEMU stays on one line, tests/qemu/run.sh reads it.
BOARD_ISA := riscv
BOARD_CPU := rv32imac
BOARD_SOURCES := boards/families/qemu-virt/board.c
BOARD_FOLDERS := $(BOARD_FOLDER) boards/families/qemu-virt
BOARD_LINKER_SCRIPT := linker/riscv.ld
BOARD_QEMU := qemu-system-riscv32 -M virt -m 16M -bios none -rtc base=2024-01-01,clock=vm
