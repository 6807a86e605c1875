/* SPDX-License-Identifier: MIT */
/* Texts followed by numbers, for the console. */
#include "print.h"

#include "board.h"
#include "calls.h"

UNINSTRUMENTED static void print_number(const char *text, uintptr_t number, unsigned base)
{
	board_console_write(text);
	board_console_write_number(number, base);
}

UNINSTRUMENTED void print_decimal(const char *text, uint32_t number)
{
	print_number(text, number, 10);
}

UNINSTRUMENTED void print_hexadecimal(const char *text, uintptr_t number)
{
	print_number(text, number, 16);
}
