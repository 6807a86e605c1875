# SPDX-License-Identifier: MIT
# link.sh BYTES: links firmware.elf with a section of that size for its table.
arm-none-eabi-as -mcpu=cortex-m3 --defsym SPACE=$1 firmware.s -o firmware.o &&
	arm-none-eabi-ld --no-warn-rwx-segments -e start -Ttext 0x8000 --section-start=.note.gnu.build-id=0x7000 --build-id=0x0123456789abcdef firmware.o -o firmware.elf
