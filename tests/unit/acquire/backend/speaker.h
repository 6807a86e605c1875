/* SPDX-License-Identifier: MIT */
/* A server for tests, in a thread: on a TCP port of this machine or on a terminal, for one client. */
#ifndef UNIT_ACQUIRE_BACKEND_SPEAKER_H
#define UNIT_ACQUIRE_BACKEND_SPEAKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct speaker {
	/* Serves the client, and then the connection is closed. NULL: the speaker greets it and answers requests. */
	void (*serve)(struct speaker *speaker);
	char end; /* of each request */
	/* Sends a greeting; NULL: there is none. */
	bool (*greet)(struct speaker *speaker);
	/* Answers a request, which comes without its end; false closes the connection. */
	bool (*answer)(struct speaker *speaker, const char *request);
	void *context;
	bool is_ipv6, is_terminal;

	char address[32]; /* HOST:PORT or the terminal's path */
	int listener, connection;
	pthread_t thread;
};

void speaker_start(struct speaker *speaker);
void speaker_join(struct speaker *speaker);
/* The next byte from the client; -1: it has gone, or sends nothing for a long time. */
int speaker_receive(const struct speaker *speaker);
/* False if the client has gone. */
bool speaker_say(const struct speaker *speaker, const char *text);
/* Repeats the text until the client has gone, then returns false. */
bool speaker_flood(const struct speaker *speaker, const char *text);

#endif
