/* SPDX-License-Identifier: MIT */
/* See script.h. */
#include "script.h"

#include <assert.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Milliseconds without a byte after which the other side is done. */
#define PATIENCE 10000

static int receive_byte(const struct script *script)
{
	struct pollfd ready = {.fd = script->master, .events = POLLIN};
	unsigned char byte;

	return poll(&ready, 1, PATIENCE) == 1 && read(script->master, &byte, 1) == 1 ? byte : -1;
}

static void send_text(const struct script *script, const char *text)
{
	size_t size = strlen(text);
	ssize_t sent = write(script->master, text, size);
	assert(sent == (ssize_t)size);
}

/* The next request, without its frame. False if there is none. */
static bool receive(const struct script *script, char *request, size_t capacity)
{
	size_t size = 0;
	int byte;

	do
		byte = receive_byte(script);
	while (byte >= 0 && byte != '$');
	while ((byte = receive_byte(script)) >= 0 && byte != '#' && size + 1 < capacity)
		request[size++] = (char)byte;
	request[size] = 0;
	return byte == '#' && receive_byte(script) >= 0 && receive_byte(script) >= 0;
}

/* qRcmd and digits by what they stand for. */
static void decode(const char *request, char *text, size_t capacity)
{
	size_t size = 0;
	unsigned byte;

	if (strncmp(request, "qRcmd,", 6) != 0) {
		snprintf(text, capacity, "%.500s", request);
		return;
	}
	size = (size_t)snprintf(text, capacity, "monitor ");
	for (request += 6; sscanf(request, "%2x", &byte) == 1 && size + 1 < capacity; request += 2)
		text[size++] = (char)byte;
	text[size] = 0;
}

/* Behind its word, if answer begins with that; else NULL. */
static const char *behind(const char *answer, const char *word)
{
	return strncmp(answer, word, strlen(word)) == 0 ? answer + strlen(word) : NULL;
}

static void answer(const struct script *script, const char *answer)
{
	char payload[1024], packet[sizeof payload + 8];
	const char *says = behind(answer, "says "), *result = behind(answer, "result ");
	const char *text = says != NULL ? says : result;
	size_t size = (size_t)snprintf(payload, sizeof payload, "%s", text != NULL ? says != NULL ? "O" : "" : answer);
	unsigned sum = 0;

	for (; text != NULL && *text; text++)
		size += (size_t)snprintf(payload + size, sizeof payload - size, "%02x", (unsigned char)*text);
	for (size_t i = 0; i < size; i++)
		sum += (unsigned char)payload[i];
	snprintf(packet, sizeof packet, "$%s#%02x", payload, sum & 0xFF);
	send_text(script, packet);
}

static void *serve(void *context)
{
	struct script *script = context;
	char request[2048], text[1024];
	bool acknowledges = true;

	for (const struct exchange *next = script->exchanges; next->request != NULL; next++, script->done++) {
		if (!receive(script, request, sizeof request))
			break;
		decode(request, text, sizeof text);
		if (strcmp(text, next->request) != 0) {
			snprintf(script->strayed, sizeof script->strayed, "%.240s", text);
			break;
		}
		if (acknowledges)
			send_text(script, "+");
		for (size_t i = 0; next->answers[i] != NULL; i++)
			answer(script, next->answers[i]);
		acknowledges = acknowledges && strcmp(text, "QStartNoAckMode") != 0;
	}
	return NULL;
}

void script_start(struct script *script)
{
	struct termios raw;

	script->done = 0;
	script->strayed[0] = 0;
	int opened = openpty(&script->master, &script->slave, NULL, NULL, NULL);
	assert(opened == 0);
	tcgetattr(script->slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(script->slave, TCSANOW, &raw);
	snprintf(script->source, sizeof script->source, "gdb:%s", ttyname(script->slave));
	int started = pthread_create(&script->thread, NULL, serve, script);
	assert(started == 0);
}

void script_join(struct script *script)
{
	pthread_join(script->thread, NULL);
	close(script->slave);
	close(script->master);
}
