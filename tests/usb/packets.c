/* SPDX-License-Identifier: MIT */
/*
 * Commands that exchange packets with a debug probe by host/acquire/usb/packets.h.
 *
 *	packets list                    lists attached probes: SOURCE | DESCRIPTION | PROBLEM
 *	packets ADDRESS open            prints the properties of the probe
 *	packets ADDRESS read            reads once, with a short deadline
 *	packets ADDRESS cancelled       as above, but cancelled before; then reads again without being cancelled
 *	packets ADDRESS ask COUNT MAX   asks COUNT questions, two in turn, with up to MAX unanswered; each answer must
 *	                                be to its question
 *
 * Each result is a line. The exit status is 0 even if a transfer fails.
 */
#include "acquire/usb/packets.h"
#include "acquire/usb/devices.h"
#include "base/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct usb_kind cmsis_dap_usb;

/* Milliseconds. */
#define MOMENT     300   /* long enough to see that nothing happens */
#define LONG       5000  /* long enough for an answer that may be lost */
#define EVENTUALLY 60000 /* for what must happen, on a busy machine */

/* Questions (Arm, "CMSIS-DAP", "DAP_Info"): the number of packets in flight, and capabilities. */
static const uint8_t questions[2][2] = {{0, 0xFE}, {0, 0xF0}};

static void read_once(struct packets *packets, unsigned milliseconds)
{
	uint8_t bytes[PACKETS_SIZE_MAX];
	struct error error;
	size_t size;

	if (packets->ops->receive(packets, bytes, sizeof bytes, clock_now() + milliseconds, &size, &error) != STATUS_OK)
		printf("read: %s%s\n", error.message, packets->is_lost ? ", for good" : "");
	else
		printf("read: %zu bytes\n", size);
}

static bool send_question(struct packets *packets, unsigned number)
{
	struct error error;

	if (packets->ops->send(packets, questions[number % 2], 2, clock_now() + EVENTUALLY, &error) == STATUS_OK)
		return true;
	printf("send: %s%s\n", error.message, packets->is_lost ? ", for good" : "");
	return false;
}

/* All answers to a question must equal the first. */
static bool receive_answer(struct packets *packets, unsigned number, uint8_t answers[2][3])
{
	uint8_t bytes[PACKETS_SIZE_MAX];
	struct error error;
	size_t size;

	if (packets->ops->receive(packets, bytes, sizeof bytes, clock_now() + LONG, &size, &error) != STATUS_OK) {
		printf("ask: %s%s\n", error.message, packets->is_lost ? ", for good" : "");
		return false;
	}
	size_t compared = size < 3 ? size : 3;
	if (number < 2)
		memcpy(answers[number], bytes, compared);
	if (compared >= 2 && memcmp(answers[number % 2], bytes, compared) == 0)
		return true;
	printf("ask: a different answer, of %zu bytes, to question %u\n", size, number);
	return false;
}

static void ask(struct packets *packets, unsigned count, unsigned max_unanswered)
{
	uint8_t answers[2][3];
	unsigned sent = 0;

	for (unsigned answered = 0; answered < count; answered++) {
		for (; sent < count && sent - answered < max_unanswered; sent++)
			if (!send_question(packets, sent))
				return;
		if (!receive_answer(packets, answered, answers))
			return;
	}
	printf("ask: %u answers\n", count);
}

static void print_probe(const struct packets *packets)
{
	printf("open: %s, pieces of %zu bytes, %s\n", packets->source,
	       packets->wire_size ? packets->wire_size : packets->size_max,
	       packets->in_flight_max == 1 ? "loses packets"
	       : packets->wire_size        ? "bulk"
	                                   : "reports");
}

static int run(const char *address, int argc, char **argv)
{
	bool is_cancelled = strcmp(argv[0], "cancelled") == 0;
	struct usb_address wanted;
	struct packets *packets;
	struct error error;
	int cancel[2];

	if (pipe(cancel) < 0 || (is_cancelled && write(cancel[1], "", 1) != 1))
		return 1;
	if (usb_address_parse(address, &cmsis_dap_usb.naming, &wanted, &error) ||
	    packets_open(&cmsis_dap_usb, &wanted, cancel[0], &packets, &error)) {
		printf("open: %s\n", error.message);
		return 0;
	}
	if (strcmp(argv[0], "open") == 0)
		print_probe(packets);
	else if (strcmp(argv[0], "ask") == 0 && argc >= 3)
		ask(packets, (unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]));
	else
		read_once(packets, MOMENT);
	packets->cancel = -1;
	if (is_cancelled)
		read_once(packets, MOMENT);
	packets->ops->close(packets);
	return 0;
}

static void list_one(void *context, const struct attached_device *device)
{
	(void)context;
	printf("%s | %s | %s\n", device->source, device->description, device->problem != NULL ? device->problem : "-");
}

int main(int argc, char **argv)
{
	struct error error;

	if (argc >= 3)
		return run(argv[1], argc - 2, argv + 2);
	if (argc == 2 && usb_devices_list(&cmsis_dap_usb, list_one, NULL, &error) == STATUS_OK)
		return 0;
	fprintf(stderr, "usage: packets list | packets ADDRESS COMMAND...\n");
	return 2;
}
