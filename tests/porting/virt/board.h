/* SPDX-License-Identifier: MIT */
/*
 * The functions of board.c, the UART of the console, the machine timer that the unchanged firmware does not use, and
 * the handler that mtvec names.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/* Halves of 64-bit registers, low and high. */
#define MTIME    ((const volatile uint32_t *)0x0200BFF8u)
#define MTIMECMP ((volatile uint32_t *)0x02004000u)

#define UART ((volatile uint8_t *)0x10000000u)

void timer_interrupt(void);
void say(const char *text);

#endif
