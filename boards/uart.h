/* SPDX-License-Identifier: MIT */
/* The UART of a board's console, byte by byte. console.c builds the console and the pipe of the link on it. */
#ifndef BOARDS_UART_H
#define BOARDS_UART_H

#include <stdbool.h>
#include <stdint.h>

/* Implemented by each board. Accepts the byte if the transmitter has room for it; does not wait. */
bool uart_transmit(uint8_t byte);

/* Called by each board's receive interrupt, and from nowhere else. Keeps the byte for board_pipe_read(). */
void uart_received(uint8_t byte);

#endif
