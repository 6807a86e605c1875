# SPDX-License-Identifier: MIT
# link.sh BYTES [1]: links firmware.elf with a section of that size for its table, and with code in RAM.
arm-none-eabi-as -mcpu=cortex-m3 --defsym SPACE=$1 --defsym RAM=${2-0} firmware.s -o firmware.o &&
	arm-none-eabi-ld --no-warn-rwx-segments -e start -Ttext 0x8000 --section-start=.ram=0x20000000 --section-start=.note.gnu.build-id=0x7000 --build-id=0x0123456789abcdef firmware.o -o firmware.elf
