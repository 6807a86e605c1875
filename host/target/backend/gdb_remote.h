/* SPDX-License-Identifier: MIT */
/*
 * The conversation with a GDB stub over any channel: a request and its answer, acknowledged and repeated as the
 * protocol asks, within a time-out; running and stopping the target. Knows nothing of memory, nor of whose stub it is.
 */
#ifndef TARGET_BACKEND_GDB_REMOTE_H
#define TARGET_BACKEND_GDB_REMOTE_H

#include "base/status.h"
#include "target/backend/gdb_packet.h"
#include "target/channel/channel.h"
#include "target/channel/client.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GDB_REQUEST_CAPACITY ((size_t)0x1000)

struct gdb_remote {
	const char *where; /* for messages; not owned */
	struct channel *channel;
	const struct client_observer *observer; /* is told what the target prints; not owned */
	struct gdb_output *output; /* takes that instead, while the stub carries out a command; NULL = it does not */
	/* Requests after which this stub, detached from, leaves the target running; ended by NULL, not owned. None at
	 * first. */
	const char *const *detach_requests;
	unsigned timeout;  /* milliseconds for each answer */
	bool acknowledges; /* both sides send '+' and '-' */
	bool lost;         /* an earlier failure left the conversation out of step: nothing more is asked */
	bool interrupted;  /* cancelled: nothing more is asked but to let the target go on */
	bool waiting;      /* for the answer to the last request */
	bool running;      /* the target, as far as we told it */
	int first_byte;    /* of what came, acknowledgements apart; -1 = nothing did */
	unsigned repeats;  /* of the request and of its answer together, so far */

	char request[2 * GDB_REQUEST_CAPACITY + 4]; /* the last one, framed */
	size_t request_size;
	uint8_t received[4096]; /* bytes not decoded yet: [received_next, received_end) */
	size_t received_next, received_end;
	struct gdb_decoder decoder;
};

/* Takes over the channel, which gdb_remote_close() closes. */
void gdb_remote_init(struct gdb_remote *remote, const char *where, struct channel *channel, unsigned timeout,
                     const struct client_observer *observer);

/*
 * Sends a request (text, at most GDB_REQUEST_CAPACITY characters) and waits for its answer: answer->payload, with a NUL
 * behind it, valid until the next call. Reports that the target stopped are passed over, its console output goes to the
 * observer, except that a request that asks for a stop report (`?`, `vAttach`) gets it.
 */
enum status gdb_remote_ask(struct gdb_remote *remote, const char *request, const struct gdb_decoder **answer,
                           struct error *error);

/* Lets the target run for so many milliseconds, then stops it. A target that stops by itself is a failure. */
enum status gdb_remote_run(struct gdb_remote *remote, unsigned milliseconds, struct error *error);

/* Where there is a gdb server at all: lets the target go on by what is in detach_requests and by detaching, or where
 * the stub knows no detaching, by continuing; then disconnects. After an interruption this takes less than a second and
 * is not interrupted again. */
enum status gdb_remote_close(struct gdb_remote *remote, struct error *error);

#endif
