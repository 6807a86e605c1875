/* SPDX-License-Identifier: MIT */
/* A server that talks in text, for tests of those who talk to such: on a port of this machine, to one client. */
#ifndef UNIT_TARGET_BACKEND_SPEAKER_H
#define UNIT_TARGET_BACKEND_SPEAKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct speaker {
	char end; /* of each request */
	/* Says what there is to say to a client that just came; NULL = nothing. */
	bool (*greet)(struct speaker *speaker);
	/* Says something to a request, without its end; false closes. */
	bool (*answer)(struct speaker *speaker, const char *request);
	void *context;

	char address[32]; /* HOST:PORT */
	int listener, connection;
	pthread_t thread;
};

void speaker_start(struct speaker *speaker);
void speaker_join(struct speaker *speaker);
/* False if the client has gone. */
bool speaker_say(struct speaker *speaker, const char *text, size_t size);
/* The same text for ever, until the client has gone. */
bool speaker_flood(struct speaker *speaker, const char *text);

#endif
