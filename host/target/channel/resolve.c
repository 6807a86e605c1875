/* SPDX-License-Identifier: MIT */
/* See resolve.h. getaddrinfo() may wait for name servers for any time, so a child process calls it, which is killed if
 * it takes too long. A thread could not be ended in there. */
#include "target/channel/resolve.h"

#include "base/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
		return status_fail(error, "%s: cannot find the host: whoever asked for it was killed", where);
	return conclude(where, &answer, resolved, error);
}

static void end_process(pid_t process)
{
	kill(process, SIGKILL);
	while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
		continue;
}

static enum status look_up_apart(const char *where, const char *host, const char *port, int cancel, uint64_t deadline,
                                 struct resolved *resolved, struct error *error)
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

enum status resolve(const char *where, const char *host, const char *port, int cancel, uint64_t deadline,
                    struct resolved *resolved, struct error *error)
{
	struct answer answer;

	/* Numeric addresses need no lookup. */
	look_up(host, port, AI_NUMERICHOST, &answer);
	if (answer.failure == EAI_NONAME)
		return look_up_apart(where, host, port, cancel, deadline, resolved, error);
	return conclude(where, &answer, resolved, error);
}
