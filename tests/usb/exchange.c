/* SPDX-License-Identifier: MIT */
/*
 * Commands that use the USB channel, host/acquire/channel/usb.c, without the link on it.
 *
 *	exchange list                     lists attached devices: SOURCE | DESCRIPTION | PROBLEM
 *	exchange ADDRESS echo SIZE CHUNK  sends SIZE bytes, CHUNK at a time; each chunk must come back before the next
 *	exchange ADDRESS echo SIZE CHUNK again
 *	                                  as above, but opens the channel again when it is closed
 *	exchange ADDRESS read             reads once, with a short deadline
 *	exchange ADDRESS cancelled        as above, but cancelled before
 *	exchange ADDRESS twice            opens the channel while it is open
 *	exchange ADDRESS write            writes until a write reaches its deadline
 *
 * Each result is a line. The exit status is 0 even if a transfer fails.
 */
#include "acquire/channel/channel.h"
#include "base/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Milliseconds. */
#define MOMENT     200   /* long enough to see that nothing happens */
#define LONG       5000  /* long enough for a slow device */
#define EVENTUALLY 60000 /* for what must happen, on a busy machine */

#define CHUNK_MAX 65536

static const char *const result_names[] = {
        [WAIT_DONE] = "data",
        [WAIT_TIMEOUT] = "time-out",
        [WAIT_CLOSED] = "closed",
        [WAIT_CANCELLED] = "cancelled",
};

static void print_result(const struct channel *channel, const char *what, enum wait_result result)
{
	printf("%s: %s%s%s\n", what, result_names[result], result == WAIT_CLOSED ? ", " : "",
	       result == WAIT_CLOSED ? channel->reason : "");
}

static enum status open_usb(const char *address, int cancel, struct channel **channel, struct error *error)
{
	char text[256];
	struct source source;

	snprintf(text, sizeof text, "usb:%s", address);
	enum status status = source_split(text, channel_usb.syntax.options, &source, error);
	return status ? status : channel_usb.open(&source, cancel, channel, error);
}

static struct channel *open_channel(const char *address, int cancel)
{
	struct error error;
	struct channel *channel;

	if (open_usb(address, cancel, &channel, &error) != STATUS_OK) {
		printf("open: %s\n", error.message);
		return NULL;
	}
	return channel;
}

/* Generates bytes without the period of packets or transfers. */
static void make_chunk(uint32_t *state, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		*state = *state * 1103515245 + 12345;
		bytes[i] = (uint8_t)(*state >> 16);
	}
}

/* Closes the channel and opens it again when the device is back. Returns NULL if it does not come back. */
static struct channel *replace(struct channel *ended, const char *address)
{
	uint64_t deadline = clock_now() + EVENTUALLY;
	struct error error;
	struct channel *channel;

	channel_usb.close(ended);
	while (clock_now() < deadline)
		if (open_usb(address, -1, &channel, &error) == STATUS_OK) {
			printf("open: again\n");
			return channel;
		}
	printf("open: %s\n", error.message);
	return NULL;
}

/* Receives size bytes. *channel may be replaced, or become NULL. */
static bool receive(const char *address, struct channel **channel, uint8_t *bytes, size_t size, bool again)
{
	uint64_t deadline = clock_now() + EVENTUALLY;

	for (size_t done = 0; done < size;) {
		size_t count = 0;
		enum wait_result result = channel_usb.read(*channel, bytes + done, size - done, deadline, &count);

		done += count;
		if (result == WAIT_DONE)
			continue;
		print_result(*channel, "read", result);
		if (result != WAIT_CLOSED || !again)
			return false;
		*channel = replace(*channel, address);
		if (*channel == NULL)
			return false;
	}
	return true;
}

static void echo(const char *address, struct channel **channel, size_t size, size_t chunk, bool again)
{
	static uint8_t sent[CHUNK_MAX], received[CHUNK_MAX];
	uint32_t state = 1;
	size_t done = 0;

	for (; done < size; done += chunk) {
		make_chunk(&state, sent, chunk);
		enum wait_result result = channel_usb.write(*channel, sent, chunk, clock_now() + EVENTUALLY);
		if (result != WAIT_DONE) {
			print_result(*channel, "write", result);
			return;
		}
		if (!receive(address, channel, received, chunk, again))
			return;
		if (memcmp(sent, received, chunk) != 0) {
			printf("echo: different bytes came back at %zu\n", done);
			return;
		}
	}
	printf("echo: %zu bytes came back\n", done);
}

static void read_once(struct channel *channel)
{
	uint8_t bytes[16];
	size_t size;

	print_result(channel, "read", channel_usb.read(channel, bytes, sizeof bytes, clock_now() + MOMENT, &size));
}

/* Writes until the device accepts no more. Every further write must reach its deadline, too. */
static void write_until_full(struct channel *channel)
{
	static const uint8_t bytes[4096];
	enum wait_result result = WAIT_DONE;

	for (unsigned i = 0; i < 10000 && result == WAIT_DONE; i++)
		result = channel_usb.write(channel, bytes, sizeof bytes, clock_now() + LONG);
	print_result(channel, "write", result);
	print_result(channel, "write", channel_usb.write(channel, bytes, sizeof bytes, clock_now() + MOMENT));
}

static void open_twice(const char *address)
{
	struct channel *second = open_channel(address, -1);

	if (second != NULL)
		channel_usb.close(second);
}

static void list_one(void *context, const struct attached_device *device)
{
	(void)context;
	printf("%s | %s | %s\n", device->source, device->description, device->problem != NULL ? device->problem : "-");
}

static int list(void)
{
	struct error error;

	if (channel_usb.list(list_one, NULL, &error) == STATUS_OK)
		return 0;
	fprintf(stderr, "exchange: %s\n", error.message);
	return 1;
}

static int run(const char *address, int argc, char **argv)
{
	bool is_cancelled = strcmp(argv[0], "cancelled") == 0;
	int cancel[2];

	if (pipe(cancel) < 0 || (is_cancelled && write(cancel[1], "", 1) != 1))
		return 1;
	struct channel *channel = open_channel(address, cancel[0]);
	if (channel == NULL)
		return 0;
	if (strcmp(argv[0], "echo") == 0 && argc >= 3)
		echo(address, &channel, strtoul(argv[1], NULL, 0), strtoul(argv[2], NULL, 0), argc > 3);
	else if (strcmp(argv[0], "write") == 0)
		write_until_full(channel);
	else if (strcmp(argv[0], "twice") == 0)
		open_twice(address);
	else
		read_once(channel);
	if (channel != NULL)
		channel_usb.close(channel);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "list") == 0)
		return list();
	if (argc >= 3)
		return run(argv[1], argc - 2, argv + 2);
	fprintf(stderr, "usage: exchange list | exchange ADDRESS COMMAND...\n");
	return 2;
}
