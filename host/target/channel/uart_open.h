/* SPDX-License-Identifier: MIT */
/* Opening a serial port: 8 data bits, no parity, one stop bit, no flow control. Private to uart.c. */
#ifndef TARGET_CHANNEL_UART_OPEN_H
#define TARGET_CHANNEL_UART_OPEN_H

#include "base/status.h"

#include <stdint.h>

enum uart_line { UART_LINE_LEFT, UART_LINE_ON, UART_LINE_OFF };

struct uart_settings {
	uint32_t baud; /* 0 = not said */
	enum uart_line dtr, rts;
};

struct sp_port;
struct uart_found;

struct uart_port {
	int descriptor;           /* non-blocking */
	struct sp_port *port;     /* NULL = a terminal that is no port, such as a pty */
	uint32_t bit_rate;        /* of the line; 0 = it has none */
	struct uart_found *found; /* original settings; NULL = unchanged */
};

/* Opens the device exclusively, with empty buffers. A terminal that is no port has no rate: the given one is assumed.
 * where names the device in messages. On success the caller closes the port. */
enum status uart_port_open(const char *where, const char *device, const struct uart_settings *settings,
                           struct uart_port *port, struct error *error);
/* Closes it and restores its settings. */
void uart_port_close(struct uart_port *port);

#endif
