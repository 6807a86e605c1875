/* SPDX-License-Identifier: MIT */
/*
 * The conversation with a debug server that takes and gives text, each piece ended by a certain byte. Nothing that it
 * sends is waited for or held without bounds. Knows nothing of what the text says.
 */
#ifndef TARGET_BACKEND_TEXT_SERVER_H
#define TARGET_BACKEND_TEXT_SERVER_H

#include "base/status.h"
#include "target/channel/tcp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Milliseconds for an answer, unless timeout=SECONDS says otherwise. */
#define TEXT_SERVER_TIMEOUT_DEFAULT 5000u

/* The longest piece of text that is taken from a server. */
#define TEXT_SERVER_CAPACITY ((size_t)0x10000)

/* A kind of server. */
struct text_peer {
	const char *name; /* for messages */
	const char *hint; /* for messages: what may be wrong where no answer comes */
	char end;         /* of each piece of text */
};

struct text_server {
	const char *where; /* for messages; not owned */
	const struct text_peer *peer;
	struct tcp tcp;   /* to be connected by the owner; text_server_close() closes its descriptor */
	unsigned timeout; /* milliseconds for an answer */
	bool lost;        /* an earlier failure left the conversation out of step: nothing more is sent */

	char received[TEXT_SERVER_CAPACITY + 1]; /* [next, size) is not taken yet */
	size_t next, size;
};

/* Not connected yet. cancel: a descriptor that ends all waiting as soon as it can be read from; -1 = none. */
void text_server_init(struct text_server *server, const char *where, const struct text_peer *peer, int cancel);
/* Sends text, its end included. */
enum status text_server_send(struct text_server *server, const char *text, struct error *error);
/* The next piece, with a NUL in place of its end; valid until the next call. */
enum status text_server_receive(struct text_server *server, uint64_t deadline, const char **text, struct error *error);
/* Lets so much time pass; where that is cancelled, the conversation is lost. */
enum status text_server_pause(struct text_server *server, unsigned milliseconds, struct error *error);
/* What came is no answer, or nobody waits for it any more: nothing more is asked. */
enum status text_server_lose(struct text_server *server, const char *what, struct error *error);
void text_server_close(struct text_server *server);

#endif
