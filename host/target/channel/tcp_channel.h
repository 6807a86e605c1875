/* SPDX-License-Identifier: MIT */
/* A TCP connection as a channel, for whoever speaks something else than the link over it. */
#ifndef TARGET_CHANNEL_TCP_CHANNEL_H
#define TARGET_CHANNEL_TCP_CHANNEL_H

#include "target/channel/channel.h"

/* Connects within timeout milliseconds, which are also channel->timeout; for the rest see tcp_connect() and
 * channel_ops.open. */
enum status tcp_channel_connect(const char *where, const char *host_port, unsigned timeout, int cancel,
                                struct channel **channel, struct error *error);

#endif
