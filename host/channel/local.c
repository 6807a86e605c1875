/* SPDX-License-Identifier: MIT */
/* See local.h. */
#include "channel/local.h"

#include "wait/clock.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Between two attempts, in milliseconds, while those who wait to be accepted fill the queue. */
#define PAUSE 20u

/* 0, or the errno of what went wrong. Such a socket connects at once, or not (EAGAIN: its queue is full). */
static int connect_once(const struct tcp *tcp, const struct sockaddr_un *address)
{
	return connect(tcp->descriptor, (const struct sockaddr *)address, sizeof *address) < 0 ? errno : 0;
}

/* 0, or the errno of what went wrong last. */
static int connect_until(const struct tcp *tcp, const struct sockaddr_un *address, uint64_t deadline)
{
	int failure = connect_once(tcp, address);

	while ((failure == EAGAIN || failure == EINTR) && clock_now() < deadline) {
		if (wait_until(-1, 0, tcp->cancel, clock_now() + PAUSE) == WAIT_CANCELLED)
			return ECANCELED;
		failure = connect_once(tcp, address);
	}
	return failure == EAGAIN ? ETIMEDOUT : failure;
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
	if (!failure)
		return STATUS_OK;
	close(tcp->descriptor);
	tcp->descriptor = -1;
	if (failure == ECANCELED)
		return status_fail(error, "%s: interrupted", where);
	return status_fail(error, "%s: cannot connect: %s", where, strerror(failure));
}
