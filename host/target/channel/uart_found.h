/* SPDX-License-Identifier: MIT */
/* How a terminal was set up when it was found: its rate, its modes. Private to uart_open.c. */
#ifndef TARGET_CHANNEL_UART_FOUND_H
#define TARGET_CHANNEL_UART_FOUND_H

struct uart_found;

/* The caller's, to be handed to uart_found_restore(). NULL = it cannot be told, and errno says why. */
struct uart_found *uart_found_keep(int descriptor);
/* Sets the terminal up as it was, if it is still there, and frees; NULL is allowed. */
void uart_found_restore(int descriptor, struct uart_found *found);

#endif
