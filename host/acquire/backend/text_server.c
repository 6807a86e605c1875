/* SPDX-License-Identifier: MIT */
/* See text_server.h. */
#include "acquire/backend/text_server.h"

#include "base/clock.h"

#include <string.h>
#include <unistd.h>

enum status text_server_init(struct text_server *server, struct target *target, const struct text_peer *peer,
                             const struct source *source, struct error *error)
{
	server->target = target;
	server->peer = peer;
	server->tcp = (struct tcp){.descriptor = -1, .cancel = target->cancel};
	server->timeout = TEXT_SERVER_TIMEOUT_DEFAULT;
	return source_milliseconds(source, "timeout", &server->timeout, error);
}

enum status text_server_lose(struct text_server *server, const char *what, struct error *error)
{
	server->target->is_lost = true;
	return status_fail(error, "%s: %s", server->target->source, what);
}

static enum status give_up(struct text_server *server, enum wait_result result, struct error *error)
{
	server->target->is_lost = true;
	if (result == WAIT_CANCELLED)
		return status_fail(error, "%s: interrupted", server->target->source);
	if (result == WAIT_CLOSED)
		return status_fail(error, "%s: %s closed the connection", server->target->source, server->peer->name);
	return status_fail(error, "%s: %s did not answer within %g s: %s", server->target->source, server->peer->name,
	                   server->timeout / 1000.0, server->peer->hint);
}

enum status text_server_send(struct text_server *server, const char *text, struct error *error)
{
	if (server->target->is_lost)
		return status_fail(error, "%s: %s was given up after an earlier failure", server->target->source,
		                   server->peer->name);
	uint64_t deadline = clock_now() + server->timeout;
	enum wait_result result = tcp_send(&server->tcp, text, strlen(text), deadline);
	if (result == WAIT_DONE)
		result = tcp_send(&server->tcp, &server->peer->end, 1, deadline);
	return result == WAIT_DONE ? STATUS_OK : give_up(server, result, error);
}

/* Moves the unfinished piece to the front of the buffer. */
static void move_to_front(struct text_server *server)
{
	memmove(server->received, server->received + server->next, server->size - server->next);
	server->size -= server->next;
	server->next = 0;
}

/* Receives as much as fits. Ends at the deadline, even if the server never pauses. */
static enum status receive_more(struct text_server *server, uint64_t deadline, struct error *error)
{
	size_t count = 0;
	enum wait_result result = clock_now() >= deadline
	                                  ? WAIT_TIMEOUT
	                                  : tcp_receive(&server->tcp, server->received + server->size,
	                                                TEXT_SERVER_CAPACITY - server->size, deadline, &count);

	server->size += count;
	return result == WAIT_DONE ? STATUS_OK : give_up(server, result, error);
}

enum status text_server_receive(struct text_server *server, uint64_t deadline, const char **text, struct error *error)
{
	move_to_front(server);
	for (size_t searched = 0;;) {
		char *end = memchr(server->received + searched, server->peer->end, server->size - searched);

		if (end != NULL) {
			*end = 0;
			*text = server->received;
			server->next = (size_t)(end - server->received) + 1;
			return STATUS_OK;
		}
		searched = server->size;
		if (searched == TEXT_SERVER_CAPACITY)
			return text_server_lose(server, "more than 65,536 characters came in one answer", error);
		enum status status = receive_more(server, deadline, error);
		if (status != STATUS_OK)
			return status;
	}
}

enum status text_server_pause(struct text_server *server, unsigned milliseconds, struct error *error)
{
	return wait_pause(milliseconds, server->tcp.cancel) ? STATUS_OK : give_up(server, WAIT_CANCELLED, error);
}

void text_server_close(struct text_server *server)
{
	if (server->tcp.descriptor >= 0)
		close(server->tcp.descriptor);
}
