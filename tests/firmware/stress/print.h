/* SPDX-License-Identifier: MIT */
/* Texts followed by numbers, for the console. */
#ifndef FIRMWARE_STRESS_PRINT_H
#define FIRMWARE_STRESS_PRINT_H

#include "board.h"

UNINSTRUMENTED static inline void print_decimal(const char *text, uint32_t number)
{
	board_console_write(text);
	board_console_write_number(number, 10);
}

UNINSTRUMENTED static inline void print_hexadecimal(const char *text, uintptr_t number)
{
	board_console_write(text);
	board_console_write_number(number, 16);
}

#endif
