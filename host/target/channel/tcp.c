/* SPDX-License-Identifier: MIT */
/* See tcp.h. */
#include "target/channel/tcp.h"

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

/* More addresses are not tried. */
#define RESOLVED_MAX 16

struct resolved {
	unsigned count; /* at least 1 */
	struct {
		socklen_t size;
		struct sockaddr_storage address;
	} items[RESOLVED_MAX];
};

struct answer {
	int failure; /* getaddrinfo()'s result, and errno for EAI_SYSTEM */
	int system_failure;
	struct resolved resolved;
};

/* So that it is written to a pipe atomically. */
_Static_assert(sizeof(struct answer) <= PIPE_BUF, "an answer must fit into a pipe");

static void look_up(const char *host, const char *port, int flags, struct answer *answer)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags | AI_NUMERICSERV};
	struct addrinfo *found = NULL;

	memset(answer, 0, sizeof *answer);
	answer->failure = getaddrinfo(host[0] ? host : NULL, port, &hints, &found);
	answer->system_failure = errno;
	if (answer->failure)
		return;
	for (const struct addrinfo *next = found; next != NULL && answer->resolved.count < RESOLVED_MAX;
	     next = next->ai_next) {
		unsigned i = answer->resolved.count++;
		answer->resolved.items[i].size = next->ai_addrlen;
		memcpy(&answer->resolved.items[i].address, next->ai_addr, next->ai_addrlen);
	}
	freeaddrinfo(found);
}

static enum status conclude(const char *where, const struct answer *answer, struct resolved *resolved,
                            struct error *error)
{
	if (answer->failure)
		return status_fail(error, "%s: cannot find the host: %s", where,
		                   answer->failure == EAI_SYSTEM ? strerror(answer->system_failure)
		                                                 : gai_strerror(answer->failure));
	*resolved = answer->resolved;
	return STATUS_OK;
}

/* The child process. It leaves the parent's buffers alone. */
static _Noreturn void answer_by(int pipe, const char *host, const char *port)
{
	struct answer answer;

	look_up(host, port, 0, &answer);
	_exit(write(pipe, &answer, sizeof answer) == sizeof answer ? 0 : 1);
}

static enum status take_answer(const char *where, int pipe, int cancel, uint64_t deadline, struct resolved *resolved,
                               struct error *error)
{
	struct answer answer;

	switch (wait_until(pipe, POLLIN, cancel, deadline)) {
	case WAIT_TIMEOUT:
		return status_fail(error, "%s: cannot find the host: no name server answered in time", where);
	case WAIT_CANCELLED:
		return status_fail(error, "%s: interrupted", where);
	default:
		break;
	}
	if (read(pipe, &answer, sizeof answer) != sizeof answer)
		return status_fail(error, "%s: cannot find the host: the lookup was killed", where);
	return conclude(where, &answer, resolved, error);
}

static void end_process(pid_t process)
{
	kill(process, SIGKILL);
	while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
		continue;
}

static enum status look_up_in_child(const char *where, const char *host, const char *port, int cancel,
                                    uint64_t deadline, struct resolved *resolved, struct error *error)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return status_fail(error, "%s: cannot look for the host: %s", where, strerror(errno));
	pid_t child = fork();
	if (child == 0)
		answer_by(ends[1], host, port);
	enum status status =
	        child < 0 ? status_fail(error, "%s: cannot look for the host: %s", where, strerror(errno)) : STATUS_OK;
	close(ends[1]);
	if (status == STATUS_OK)
		status = take_answer(where, ends[0], cancel, deadline, resolved, error);
	close(ends[0]);
	if (child > 0)
		end_process(child);
	return status;
}

/* host: a name or an address, empty = this computer; port: a number. Waits until the clock (clock_now()) is at
 * deadline, or the descriptor cancel (-1 = none) is readable. where names the connection in messages. */
static enum status resolve(const char *where, const char *host, const char *port, int cancel, uint64_t deadline,
                           struct resolved *resolved, struct error *error)
{
	struct answer answer;

	/* Numeric addresses need no lookup. */
	look_up(host, port, AI_NUMERICHOST, &answer);
	if (answer.failure == EAI_NONAME)
		return look_up_in_child(where, host, port, cancel, deadline, resolved, error);
	return conclude(where, &answer, resolved, error);
}

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
