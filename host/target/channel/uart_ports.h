/* SPDX-License-Identifier: MIT */
/* Which serial ports there are, and what to do about one that cannot be opened. Opens none. Private to uart.c and
 * uart_open.c. */
#ifndef TARGET_CHANNEL_UART_PORTS_H
#define TARGET_CHANNEL_UART_PORTS_H

#include "base/status.h"
#include "target/channel/channel.h"

#include <stdbool.h>
#include <stddef.h>

/* See struct channel_ops. */
enum status uart_ports_list(channel_device_found found, void *context, struct error *error);

/* Puts into text why the device could not be opened, which failed with this errno, and what to do. */
void uart_ports_explain(const char *device, int failure, char *text, size_t capacity);

/* Puts another process that has the device open, "cat (process 4711)", into user, of UART_USER_MAX characters. device
 * is its own name, not that of a link. False if there is none, as far as /proc shows the files of others. */
#define UART_USER_MAX 96
bool uart_ports_find_user(const char *device, char *user, size_t capacity);

#endif
