/* SPDX-License-Identifier: MIT */
/* The original settings of a terminal, to restore them. Private to uart_open.c. */
#ifndef TARGET_CHANNEL_UART_FOUND_H
#define TARGET_CHANNEL_UART_FOUND_H

struct uart_found;

/* Saves the settings, for uart_found_restore(). NULL = failed, see errno. */
struct uart_found *uart_found_keep(int descriptor);
/* Restores the settings, if the terminal still exists, and frees; NULL is allowed. */
void uart_found_restore(int descriptor, struct uart_found *found);

#endif
