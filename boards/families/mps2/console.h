/* SPDX-License-Identifier: MIT */
/* The UART of all MPS boards, for boards/console.c. */
#ifndef BOARDS_MPS2_CONSOLE_H
#define BOARDS_MPS2_CONSOLE_H

void console_start(void);
/* The handler of UART0_INTERRUPT. */
void console_interrupt(void);

#endif
