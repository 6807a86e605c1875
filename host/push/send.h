/* SPDX-License-Identifier: MIT */
/* Sending of a request, again and again after failures that may pass. */
#ifndef PUSH_SEND_H
#define PUSH_SEND_H

#include "base/clock.h"
#include "push/api.h"
#include "push/http.h"

struct push_destination {
	struct http_address address; /* for messages; the message has the whole URL */
	struct http_credentials credentials;
	const char *authorities; /* as in struct http_request */
	unsigned timeout;        /* milliseconds for all attempts and the pauses between them */
};

/* The means of push_send(); tests replace them. */
struct push_means {
	const struct http_client *client;
	const struct clock *clock;
	uint32_t (*random)(void);
};

/*
 * Sends the message until the server accepts it (2xx). Failed connections, time-outs, 429 and 5xx are tried again after
 * pauses that double, with jitter, and are at least the server's Retry-After; every other answer is final. An attempt
 * takes at most a third of the time-out. If the server accepted a message but its answer was lost, it gets it twice.
 */
enum status push_send(const struct push_message *message, const struct push_destination *destination,
                      const struct push_means *means, struct error *error);

#endif
