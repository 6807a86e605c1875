/* SPDX-License-Identifier: MIT */
/* Numbers on a board's console. Knows nothing of boards. */
#include "board.h"

void board_console_write_number(uintptr_t number, unsigned base)
{
	char digits[24];
	unsigned first = sizeof(digits) - 1;

	digits[first] = '\0';
	do {
		digits[--first] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number != 0);
	board_console_write(&digits[first]);
}
