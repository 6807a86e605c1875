/* SPDX-License-Identifier: MIT */
/* See tcp.h. */
#include "target/channel/tcp.h"

#include "base/clock.h"
#include "target/channel/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct host_port {
	char host[256]; /* empty = this machine */
	char port[8];
};

static enum status split_address(const char *where, const char *address, struct host_port *split, struct error *error)
{
	const char *colon = strrchr(address, ':');
	const char *host = address;
	size_t length = colon != NULL ? (size_t)(colon - address) : 0;
	char *end = NULL;
	unsigned long port = colon != NULL ? strtoul(colon + 1, &end, 10) : 0;

	if (length >= 2 && host[0] == '[' && host[length - 1] == ']') {
		host++;
		length -= 2;
	}
	if (colon == NULL || strspn(colon + 1, "0123456789") != strlen(colon + 1) || port == 0 || port > 65535)
		return status_usage(error, "%s: expected HOST:PORT, the port a number from 1 to 65535", where);
	if (length >= sizeof split->host)
		return status_usage(error, "%s: the name of the host is too long", where);
	memcpy(split->host, host, length);
	split->host[length] = 0;
	snprintf(split->port, sizeof split->port, "%lu", port);
	return STATUS_OK;
}

/* 0, or the errno of what went wrong. */
static int await_connection(const struct tcp *tcp, uint64_t deadline)
{
	int failure;
	socklen_t size = sizeof failure;

	switch (wait_until(tcp->descriptor, POLLOUT, tcp->cancel, deadline)) {
	case WAIT_TIMEOUT:
		return ETIMEDOUT;
	case WAIT_CANCELLED:
		return ECANCELED;
	default:
		return getsockopt(tcp->descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) < 0 ? errno : failure;
	}
}

/* 0, or the errno of what went wrong. */
static int connect_one(const struct sockaddr *address, socklen_t size, uint64_t deadline, struct tcp *tcp)
{
	int one = 1;
	int new = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (new < 0)
		return errno;
	tcp->descriptor = new;
	/* Without this, small requests may be delayed by 40 ms each. */
	setsockopt(new, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	int failure = connect(new, address, size) < 0 ? errno : 0;
	if (failure == EINPROGRESS)
		failure = await_connection(tcp, deadline);
	if (failure) {
		close(new);
		tcp->descriptor = -1;
	}
	return failure;
}

/* Tries the addresses in order. Each gets its share of the time, so that a dead first address does not hide a live
 * second one. 0, or the errno of the last failure. */
static int connect_any(const struct resolved *resolved, uint64_t deadline, struct tcp *tcp)
{
	int failure = 0;

	for (unsigned i = 0; i < resolved->count; i++) {
		uint64_t now = clock_now();
		uint64_t share = now < deadline ? (deadline - now) / (resolved->count - i) : 0;
		const struct sockaddr *address = (const struct sockaddr *)&resolved->items[i].address;
		failure = connect_one(address, resolved->items[i].size, now + share, tcp);
		if (!failure || failure == ECANCELED)
			break;
	}
	return failure;
}

static enum status explain_connect(const char *where, int failure, struct error *error)
{
	if (failure == ECANCELED)
		return status_fail(error, "%s: interrupted", where);
	return failure ? status_fail(error, "%s: cannot connect: %s", where, strerror(failure)) : STATUS_OK;
}

enum status tcp_connect(const char *where, const char *address, unsigned timeout, struct tcp *tcp, struct error *error)
{
	struct host_port split;
	struct resolved resolved;
	uint64_t deadline = clock_now() + timeout;

	enum status status = split_address(where, address, &split, error);
	if (status == STATUS_OK)
		status = resolve(where, split.host, split.port, tcp->cancel, deadline, &resolved, error);
	if (status != STATUS_OK)
		return status;
	return explain_connect(where, connect_any(&resolved, deadline, tcp), error);
}

/* Milliseconds between attempts while the queue is full. */
#define RETRY_PAUSE 20u

/* 0, or an errno. A local socket connects at once, or its queue is full (EAGAIN). */
static int connect_path(const struct tcp *tcp, const struct sockaddr_un *address, uint64_t deadline)
{
	while (connect(tcp->descriptor, (const struct sockaddr *)address, sizeof *address) < 0) {
		if (errno != EAGAIN && errno != EINTR)
			return errno;
		if (clock_now() >= deadline)
			return ETIMEDOUT;
		if (!wait_pause(RETRY_PAUSE, tcp->cancel))
			return ECANCELED;
	}
	return 0;
}

enum status tcp_connect_local(const char *where, const char *path, unsigned timeout, struct tcp *tcp,
                              struct error *error)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (strlen(path) >= sizeof address.sun_path)
		return status_usage(error, "%s: the path of a socket has at most %zu characters", where,
		                    sizeof address.sun_path - 1);
	memcpy(address.sun_path, path, strlen(path));
	tcp->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (tcp->descriptor < 0)
		return status_fail(error, "%s: cannot make a socket: %s", where, strerror(errno));
	int failure = connect_path(tcp, &address, clock_now() + timeout);
	if (failure) {
		close(tcp->descriptor);
		tcp->descriptor = -1;
	}
	return explain_connect(where, failure, error);
}

enum wait_result tcp_send(const struct tcp *tcp, const void *bytes, size_t size, uint64_t deadline)
{
	const char *next = bytes;
	while (size > 0) {
		ssize_t sent = send(tcp->descriptor, next, size, MSG_NOSIGNAL);
		if (sent >= 0) {
			next += sent;
			size -= (size_t)sent;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			enum wait_result result = wait_until(tcp->descriptor, POLLOUT, tcp->cancel, deadline);
			if (result != WAIT_DONE)
				return result;
		} else if (errno != EINTR) {
			return WAIT_CLOSED;
		}
	}
	return WAIT_DONE;
}

enum wait_result tcp_receive(const struct tcp *tcp, void *bytes, size_t capacity, uint64_t deadline, size_t *size)
{
	for (;;) {
		enum wait_result result = wait_until(tcp->descriptor, POLLIN, tcp->cancel, deadline);
		if (result != WAIT_DONE)
			return result;
		ssize_t received = recv(tcp->descriptor, bytes, capacity, 0);
		if (received > 0) {
			*size = (size_t)received;
			return WAIT_DONE;
		}
		if (received == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
			return WAIT_CLOSED;
	}
}
