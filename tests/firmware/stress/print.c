/* SPDX-License-Identifier: MIT */
/* Digits for the console. Knows nothing of what they mean. */
#include "print.h"

#include "board.h"
#include "calls.h"

UNINSTRUMENTED static void print_number(const char *text, uintptr_t number, uintptr_t base)
{
	char digits[21];
	uint32_t first = sizeof digits - 1;

	digits[first] = '\0';
	do {
		digits[--first] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number != 0);
	board_console_write(text);
	board_console_write(&digits[first]);
}

UNINSTRUMENTED void print_decimal(const char *text, uint32_t number)
{
	print_number(text, number, 10);
}

UNINSTRUMENTED void print_hexadecimal(const char *text, uintptr_t number)
{
	print_number(text, number, 16);
}
