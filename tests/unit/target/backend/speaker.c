/* SPDX-License-Identifier: MIT */
/* See speaker.h. */
#include "speaker.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool speaker_say(struct speaker *speaker, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t sent = send(speaker->connection, text, size, MSG_NOSIGNAL);
		if (sent <= 0)
			return false;
		text += sent;
		size -= (size_t)sent;
	}
	return true;
}

bool speaker_flood(struct speaker *speaker, const char *text)
{
	while (speaker_say(speaker, text, strlen(text)))
		;
	return false;
}

/* The next request, without its end. False if the client has gone. */
static bool hear(struct speaker *speaker, char *request, size_t capacity)
{
	for (size_t size = 0; size < capacity; size++) {
		if (recv(speaker->connection, request + size, 1, 0) != 1)
			return false;
		if (request[size] == speaker->end) {
			request[size] = 0;
			return true;
		}
	}
	return false;
}

static void *serve(void *context)
{
	struct speaker *speaker = context;
	struct pollfd ready = {.fd = speaker->listener, .events = POLLIN};
	static _Thread_local char request[65536];

	/* A test that fails before it connects must not hang in speaker_join(). */
	if (poll(&ready, 1, 10000) == 1) {
		speaker->connection = accept(speaker->listener, NULL, NULL);
		bool goes_on = speaker->greet == NULL || speaker->greet(speaker);
		while (goes_on && hear(speaker, request, sizeof request))
			goes_on = speaker->answer(speaker, request);
		close(speaker->connection);
	}
	close(speaker->listener);
	return NULL;
}

void speaker_start(struct speaker *speaker)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;

	speaker->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert(speaker->listener >= 0);
	int bound = bind(speaker->listener, (struct sockaddr *)&address, size);
	assert(bound == 0);
	listen(speaker->listener, 1);
	getsockname(speaker->listener, (struct sockaddr *)&address, &size);
	snprintf(speaker->address, sizeof speaker->address, "127.0.0.1:%u", ntohs(address.sin_port));
	int started = pthread_create(&speaker->thread, NULL, serve, speaker);
	assert(started == 0);
}

void speaker_join(struct speaker *speaker)
{
	pthread_join(speaker->thread, NULL);
}
