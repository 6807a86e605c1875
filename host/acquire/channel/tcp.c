/* SPDX-License-Identifier: MIT */
/* See tcp.h. */
#include "acquire/channel/tcp.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Further addresses of a name are ignored. */
#define ADDRESSES_MAX 16

struct addresses {
	int failure; /* getaddrinfo()'s result, and errno for EAI_SYSTEM */
	int system_failure;
	unsigned count; /* at least 1 after success */
	struct {
		socklen_t size;
		struct sockaddr_storage address;
	} items[ADDRESSES_MAX];
};

/* Then they are written to a pipe atomically. */
_Static_assert(sizeof(struct addresses) <= PIPE_BUF, "addresses must fit into a pipe");

static void add_host_address(struct addresses *addresses, const void *address, socklen_t size)
{
	if (addresses->count == ADDRESSES_MAX)
		return;
	memcpy(&addresses->items[addresses->count].address, address, size);
	addresses->items[addresses->count++].size = size;
}

static void look_up(const char *host, const char *port, int flags, struct addresses *addresses)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
	struct addrinfo *found = NULL;

	memset(addresses, 0, sizeof *addresses);
	addresses->failure = getaddrinfo(host[0] ? host : NULL, port, &hints, &found);
	addresses->system_failure = errno;
	if (addresses->failure)
		return;
	for (const struct addrinfo *next = found; next != NULL; next = next->ai_next)
		add_host_address(addresses, next->ai_addr, next->ai_addrlen);
	freeaddrinfo(found);
}

/* Runs in the child process, and must not flush the parent's buffers. */
static _Noreturn void run_lookup(int pipe, const char *host, const char *port)
{
	struct addresses addresses;

	look_up(host, port, 0, &addresses);
	_exit(write(pipe, &addresses, sizeof addresses) == sizeof addresses ? 0 : 1);
}

static enum status take_lookup_answer(const char *where, int pipe, int cancel, uint64_t deadline,
                                      struct addresses *addresses, struct error *error)
{
	switch (wait_until(pipe, POLLIN, cancel, deadline)) {
	case WAIT_TIMEOUT:
		return status_fail(error, "%s: cannot find the host: no name server answered in time", where);
	case WAIT_CANCELLED:
		return status_fail(error, "%s: interrupted", where);
	default:
		break;
	}
	if (read(pipe, addresses, sizeof *addresses) != sizeof *addresses)
		return status_fail(error, "%s: cannot find the host: the lookup was killed", where);
	return STATUS_OK;
}

static void end_process(pid_t process)
{
	kill(process, SIGKILL);
	while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
		continue;
}

/* Calls getaddrinfo(), which may wait for name servers for any time, in a child process, and kills it if it takes too
 * long. A thread in getaddrinfo() could not be ended. */
static enum status look_up_in_child(const char *where, const char *host, const char *port, int cancel,
                                    uint64_t deadline, struct addresses *addresses, struct error *error)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return status_fail(error, "%s: cannot look for the host: %s", where, strerror(errno));
	pid_t child = fork();
	if (child == 0)
		run_lookup(ends[1], host, port);
	enum status status =
	        child < 0 ? status_fail(error, "%s: cannot look for the host: %s", where, strerror(errno)) : STATUS_OK;
	close(ends[1]);
	if (status == STATUS_OK)
		status = take_lookup_answer(where, ends[0], cancel, deadline, addresses, error);
	close(ends[0]);
	if (child > 0)
		end_process(child);
	return status;
}

/* host: a name or an address, empty = this computer; port: a number. where names the connection in messages. */
static enum status resolve_host(const char *where, const char *host, const char *port, int cancel, uint64_t deadline,
                                struct addresses *addresses, struct error *error)
{
	enum status status = STATUS_OK;

	/* Numeric addresses need no lookup. */
	look_up(host, port, AI_NUMERICHOST, addresses);
	if (addresses->failure == EAI_NONAME)
		status = look_up_in_child(where, host, port, cancel, deadline, addresses, error);
	if (status == STATUS_OK && addresses->failure)
		status = status_fail(error, "%s: cannot find the host: %s", where,
		                     addresses->failure == EAI_SYSTEM ? strerror(addresses->system_failure)
		                                                      : gai_strerror(addresses->failure));
	return status;
}

/* Milliseconds between attempts while the queue of a local socket is full. */
#define RETRY_PAUSE 20u

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

/* 0, or the errno of the failure. */
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

/* 0, or the errno of the failure. A local socket connects at once unless its queue is full (EAGAIN). */
static int start_connection(const struct tcp *tcp, const struct sockaddr *address, socklen_t size, uint64_t deadline)
{
	while (connect(tcp->descriptor, address, size) < 0) {
		if (errno != EAGAIN && errno != EINTR)
			return errno;
		if (clock_now() >= deadline)
			return ETIMEDOUT;
		if (!wait_pause(RETRY_PAUSE, tcp->cancel))
			return ECANCELED;
	}
	return 0;
}

/* 0, or the errno of the failure. */
static int connect_one(const struct sockaddr *address, socklen_t size, uint64_t deadline, struct tcp *tcp)
{
	int one = 1;
	int new = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (new < 0)
		return errno;
	tcp->descriptor = new;
	/* Without this, small requests may be delayed by 40 ms each. */
	setsockopt(new, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	int failure = start_connection(tcp, address, size, deadline);
	if (failure == EINPROGRESS)
		failure = await_connection(tcp, deadline);
	if (failure) {
		close(new);
		tcp->descriptor = -1;
	}
	return failure;
}

/* Tries the addresses in order. Each gets its share of the time, so that a dead first address does not hide a live
 * second one. */
static enum status connect_any(const char *where, const struct addresses *addresses, uint64_t deadline, struct tcp *tcp,
                               struct error *error)
{
	int failure = 0;

	for (unsigned i = 0; i < addresses->count; i++) {
		uint64_t now = clock_now();
		uint64_t share = now < deadline ? (deadline - now) / (addresses->count - i) : 0;
		const struct sockaddr *address = (const struct sockaddr *)&addresses->items[i].address;

		failure = connect_one(address, addresses->items[i].size, now + share, tcp);
		if (!failure || failure == ECANCELED)
			break;
	}
	if (failure == ECANCELED)
		return status_fail(error, "%s: interrupted", where);
	return failure ? status_fail(error, "%s: cannot connect: %s", where, strerror(failure)) : STATUS_OK;
}

enum status tcp_connect(const char *where, const char *address, unsigned timeout, struct tcp *tcp, struct error *error)
{
	struct host_port split;
	struct addresses addresses;
	uint64_t deadline = clock_now() + timeout;

	enum status status = split_address(where, address, &split, error);
	if (status == STATUS_OK)
		status = resolve_host(where, split.host, split.port, tcp->cancel, deadline, &addresses, error);
	return status != STATUS_OK ? status : connect_any(where, &addresses, deadline, tcp, error);
}

enum status tcp_connect_local(const char *where, const char *path, unsigned timeout, struct tcp *tcp,
                              struct error *error)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct addresses addresses = {.count = 0};

	if (strlen(path) >= sizeof address.sun_path)
		return status_usage(error, "%s: the path of a socket has at most %zu characters", where,
		                    sizeof address.sun_path - 1);
	memcpy(address.sun_path, path, strlen(path));
	add_host_address(&addresses, &address, sizeof address);
	return connect_any(where, &addresses, clock_now() + timeout, tcp, error);
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
