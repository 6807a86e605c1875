/* SPDX-License-Identifier: MIT */
/* A session with a GDB stub over any channel: requests and answers, acknowledged and retransmitted within a time-out;
 * running and stopping the target. */
#ifndef ACQUIRE_BACKEND_GDB_REMOTE_H
#define ACQUIRE_BACKEND_GDB_REMOTE_H

#include "acquire/backend/gdb_packet.h"
#include "acquire/target/target.h"

#define GDB_REQUEST_CAPACITY ((size_t)0x1000)

struct gdb_remote {
	struct target *target;     /* its observer receives console output; not owned */
	struct channel *channel;   /* NULL: not connected */
	struct gdb_output *output; /* receives the output of a command while the stub runs it; NULL: no command runs */
	/* Requests to send before detaching, so that this stub leaves the target running; ended by NULL, not owned.
	 * NULL: none. */
	const char *const *detach_requests;
	unsigned timeout;  /* milliseconds for each answer */
	bool acknowledges; /* both sides send '+' and '-' */
	bool lost;         /* out of step after a failure: sends no more requests */
	bool interrupted;  /* cancelled: only resumes the target */
	bool waiting;      /* an answer is outstanding */
	bool running;      /* the target runs, at our request */
	int first_byte;    /* first byte received, except acknowledgements; -1: none */
	unsigned repeats;  /* repeats of the request and its answer together */

	char request[2 * GDB_REQUEST_CAPACITY + 4]; /* the last request, framed */
	size_t request_size;
	uint8_t received[4096]; /* bytes not decoded yet: [received_next, received_end) */
	size_t received_next, received_end;
	struct gdb_decoder decoder;
};

/* Initializes a zeroed session. gdb_remote_close() closes the channel. */
void gdb_remote_init(struct gdb_remote *remote, struct target *target, struct channel *channel, unsigned timeout);

/* Sends a request (text, at most GDB_REQUEST_CAPACITY characters) and waits for its answer: answer->payload, NUL-
 * terminated, valid until the next call. Stop reports are skipped unless the request asks for one (`?`, `vAttach`);
 * console output goes to the observer. */
enum status gdb_remote_ask(struct gdb_remote *remote, const char *request, const struct gdb_decoder **answer,
                           struct error *error);

/* Lets the target run for the given time, then stops it. A target that stops by itself is a failure. */
enum status gdb_remote_run(struct gdb_remote *remote, unsigned milliseconds, struct error *error);

/* Leaves the target running, by detach_requests and detaching, or by continuing if the stub cannot detach; then
 * disconnects. A peer that is not a gdb server is only disconnected. After an interruption this takes less than a
 * second and cannot be interrupted. */
enum status gdb_remote_close(struct gdb_remote *remote, struct error *error);

#endif
