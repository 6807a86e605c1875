/* SPDX-License-Identifier: MIT */
/* Resolving the name of a host, with a deadline. */
#ifndef TARGET_CHANNEL_RESOLVE_H
#define TARGET_CHANNEL_RESOLVE_H

#include "base/clock.h"
#include "base/status.h"

#include <stdint.h>
#include <sys/socket.h>

/* More addresses are not tried. */
#define RESOLVED_MAX 16

struct resolved {
	unsigned count; /* at least 1 */
	struct {
		socklen_t size;
		struct sockaddr_storage address;
	} items[RESOLVED_MAX];
};

/* host: a name or an address, empty = this computer; port: a number. Waits until the clock (clock_now()) is at
 * deadline, or the descriptor cancel (-1 = none) is readable. where names the connection in messages. */
enum status resolve(const char *where, const char *host, const char *port, int cancel, uint64_t deadline,
                    struct resolved *resolved, struct error *error);

#endif
