/* SPDX-License-Identifier: MIT */
/* Sending of a request, with further attempts after transient failures. */
#ifndef PUSH_SEND_H
#define PUSH_SEND_H

#include "base/clock.h"
#include "push/api.h"
#include "push/http.h"

struct push_destination {
	struct http_address address; /* for messages; the message has the whole URL */
	struct http_credentials credentials;
	const char *authorities; /* see struct http_request */
	unsigned timeout;        /* milliseconds for all attempts and the pauses between them */
};

/* The functions that push_send() uses; tests replace them. */
struct push_environment {
	const struct http_client *client;
	const struct clock *clock;
	uint32_t (*random)(void);
};

/*
 * Sends the message until the server accepts it (2xx). After failed connections, time-outs, 429 and 5xx it tries again;
 * every other answer is final. The pauses double, with jitter, and are at least the server's Retry-After. An attempt
 * takes at most a third of the time-out. If the server's answer is lost, the server may receive the message twice.
 */
enum status push_send(const struct push_message *message, const struct push_destination *destination,
                      const struct push_environment *environment, struct error *error);

#endif
