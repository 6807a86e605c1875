/* SPDX-License-Identifier: MIT */
/* A session with a debug server that exchanges text, each piece ended by a certain byte. The use of time and memory is
 * bounded, even if the server misbehaves. */
#ifndef ACQUIRE_BACKEND_TEXT_SERVER_H
#define ACQUIRE_BACKEND_TEXT_SERVER_H

#include "acquire/channel/tcp.h"
#include "acquire/target/target.h"

#include <stddef.h>
#include <stdint.h>

/* Milliseconds to wait for an answer, unless timeout=SECONDS is given. */
#define TEXT_SERVER_TIMEOUT_DEFAULT 5000u

/* The longest piece of text accepted from a server. */
#define TEXT_SERVER_CAPACITY ((size_t)0x10000)

struct text_peer {
	const char *name; /* for messages */
	const char *hint; /* for messages: a possible reason for a missing answer */
	char end;         /* last character of each piece of text */
};

struct text_server {
	struct target *target; /* its is_lost: out of step after a failure; nothing more is sent */
	const struct text_peer *peer;
	struct tcp tcp;   /* connected by the owner; text_server_close() closes it */
	unsigned timeout; /* milliseconds for an answer */

	char received[TEXT_SERVER_CAPACITY + 1]; /* [next, size) is unread */
	size_t next, size;
};

/* Initializes a zeroed server without connecting. Takes the time-out from the source. */
enum status text_server_init(struct text_server *server, struct target *target, const struct text_peer *peer,
                             const struct source *source, struct error *error);
/* Sends text and the end byte. */
enum status text_server_send(struct text_server *server, const char *text, struct error *error);
/* Receives the next piece, with a NUL instead of its end byte; valid until the next call. */
enum status text_server_receive(struct text_server *server, uint64_t deadline, const char **text, struct error *error);
/* Pauses; if cancelled, the session is lost. */
enum status text_server_pause(struct text_server *server, unsigned milliseconds, struct error *error);
/* Fails, and gives up the session, after an invalid answer. */
enum status text_server_lose(struct text_server *server, const char *what, struct error *error);
void text_server_close(struct text_server *server);

#endif
