/* SPDX-License-Identifier: MIT */
/* See speaker.h. */
#include "speaker.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

/* Milliseconds without a client or a byte from it, after which a test has failed and must not hang in speaker_join().
 */
#define TIMEOUT 60000

static bool is_readable(int descriptor)
{
	return poll(&(struct pollfd){.fd = descriptor, .events = POLLIN}, 1, TIMEOUT) == 1;
}

int speaker_receive(const struct speaker *speaker)
{
	unsigned char byte;

	return is_readable(speaker->connection) && read(speaker->connection, &byte, 1) == 1 ? byte : -1;
}

bool speaker_say(const struct speaker *speaker, const char *text)
{
	for (size_t size = strlen(text); size > 0;) {
		ssize_t sent = write(speaker->connection, text, size);

		if (sent <= 0)
			return false;
		text += sent;
		size -= (size_t)sent;
	}
	return true;
}

bool speaker_flood(const struct speaker *speaker, const char *text)
{
	while (speaker_say(speaker, text))
		;
	return false;
}

/* The next request, without its end. */
static bool receive_request(const struct speaker *speaker, char *request, size_t capacity)
{
	for (size_t size = 0; size < capacity; size++) {
		int byte = speaker_receive(speaker);

		request[size] = byte == speaker->end ? 0 : (char)byte;
		if (byte < 0 || byte == speaker->end)
			return byte >= 0;
	}
	return false;
}

static void answer_requests(struct speaker *speaker)
{
	static _Thread_local char request[65536];

	bool goes_on = speaker->greet == NULL || speaker->greet(speaker);
	while (goes_on && receive_request(speaker, request, sizeof request))
		goes_on = speaker->answer(speaker, request);
}

static void *run(void *context)
{
	struct speaker *speaker = context;

	if (!speaker->is_terminal) {
		speaker->connection = is_readable(speaker->listener) ? accept(speaker->listener, NULL, NULL) : -1;
		/* Without it, one small packet after another waits for a delayed acknowledgement. */
		setsockopt(speaker->connection, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	}
	if (speaker->connection >= 0)
		(speaker->serve != NULL ? speaker->serve : answer_requests)(speaker);
	if (!speaker->is_terminal) {
		close(speaker->connection);
		close(speaker->listener);
	}
	return NULL;
}

/* The listener is the client's side, which stays open until speaker_join(). */
static void open_terminal(struct speaker *speaker)
{
	struct termios raw;

	int opened = openpty(&speaker->connection, &speaker->listener, NULL, NULL, NULL);
	assert(opened == 0);
	tcgetattr(speaker->listener, &raw);
	cfmakeraw(&raw);
	tcsetattr(speaker->listener, TCSANOW, &raw);
	snprintf(speaker->address, sizeof speaker->address, "%s", ttyname(speaker->listener));
}

static void open_port(struct speaker *speaker)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_in6 address6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr *any = speaker->is_ipv6 ? (struct sockaddr *)&address6 : (struct sockaddr *)&address;
	socklen_t size = speaker->is_ipv6 ? sizeof address6 : sizeof address;

	speaker->listener = socket(any->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert(speaker->listener >= 0);
	int bound = bind(speaker->listener, any, size);
	assert(bound == 0);
	listen(speaker->listener, 1);
	getsockname(speaker->listener, any, &size);
	snprintf(speaker->address, sizeof speaker->address, "%s:%u", speaker->is_ipv6 ? "[::1]" : "127.0.0.1",
	         ntohs(speaker->is_ipv6 ? address6.sin6_port : address.sin_port));
}

void speaker_start(struct speaker *speaker)
{
	signal(SIGPIPE, SIG_IGN);
	(speaker->is_terminal ? open_terminal : open_port)(speaker);
	int started = pthread_create(&speaker->thread, NULL, run, speaker);
	assert(started == 0);
}

void speaker_join(struct speaker *speaker)
{
	pthread_join(speaker->thread, NULL);
	if (speaker->is_terminal) {
		close(speaker->connection);
		close(speaker->listener);
	}
}
