/* SPDX-License-Identifier: MIT */
/* Which serial ports there are, and what to do about one that cannot be opened. Opens none. Private to uart.c and
 * uart_open.c. */
#ifndef CHANNEL_UART_PORTS_H
#define CHANNEL_UART_PORTS_H

#include "channel/channel.h"
#include "status/status.h"

#include <stddef.h>

/* See struct channel_ops. */
enum status uart_ports_list(channel_device_found found, void *context, struct error *error);

/* Puts into text why the device could not be opened, which failed with this errno, and what to do. */
void uart_ports_explain(const char *device, int failure, char *text, size_t capacity);

#endif
