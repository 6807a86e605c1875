/* SPDX-License-Identifier: MIT */
/* The console of all MPS boards, which boards/console.c makes of its UART. */
#ifndef BOARDS_MPS2_CONSOLE_H
#define BOARDS_MPS2_CONSOLE_H

void console_start(void);
/* The handler of UART0_INTERRUPT. */
void console_interrupt(void);

#endif
