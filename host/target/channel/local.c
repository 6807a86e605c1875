/* SPDX-License-Identifier: MIT */
/* See local.h. */
#include "target/channel/local.h"

#include "base/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Between two attempts, in milliseconds, while those who wait to be accepted fill the queue. */
#define PAUSE 20u

/* 0, or the errno of what went wrong. Such a socket connects at once, or not (EAGAIN: its queue is full). */
static int connect_until(const struct tcp *tcp, const struct sockaddr_un *address, uint64_t deadline)
{
	while (connect(tcp->descriptor, (const struct sockaddr *)address, sizeof *address) < 0) {
		if (errno != EAGAIN && errno != EINTR)
			return errno;
		if (clock_now() >= deadline)
			return ETIMEDOUT;
		if (!wait_pause(PAUSE, tcp->cancel))
			return ECANCELED;
	}
	return 0;
}

enum status local_connect(const char *where, const char *path, unsigned timeout, struct tcp *tcp, struct error *error)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (strlen(path) >= sizeof address.sun_path)
		return status_usage(error, "%s: the path of a socket has at most %zu characters", where,
		                    sizeof address.sun_path - 1);
	memcpy(address.sun_path, path, strlen(path));
	tcp->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (tcp->descriptor < 0)
		return status_fail(error, "%s: cannot make a socket: %s", where, strerror(errno));
	int failure = connect_until(tcp, &address, clock_now() + timeout);
	if (failure) {
		close(tcp->descriptor);
		tcp->descriptor = -1;
	}
	return tcp_explain_connect(where, failure, error);
}
