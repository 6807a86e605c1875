/* SPDX-License-Identifier: MIT */
/* A connection to a socket of this machine that has a path, used from then on as one over TCP. */
#ifndef TARGET_CHANNEL_LOCAL_H
#define TARGET_CHANNEL_LOCAL_H

#include "target/channel/tcp.h"

/* Connects to the socket at path within timeout milliseconds; for the rest see tcp_connect(). */
enum status local_connect(const char *where, const char *path, unsigned timeout, struct tcp *tcp, struct error *error);

#endif
