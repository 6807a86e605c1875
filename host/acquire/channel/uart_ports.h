/* SPDX-License-Identifier: MIT */
/* The list of serial ports, and explanations for those that cannot be opened. Private to uart.c. */
#ifndef ACQUIRE_CHANNEL_UART_PORTS_H
#define ACQUIRE_CHANNEL_UART_PORTS_H

#include "acquire/channel/channel.h"
#include "base/status.h"

#include <stddef.h>

/* See struct channel_ops. */
enum status uart_ports_list(device_found found, void *context, struct error *error);

/* Explains why opening the device failed with this errno, and what to do. */
void uart_ports_explain(const char *device, int failure, char *text, size_t capacity);

#endif
