/* SPDX-License-Identifier: MIT */
/*
 * Runs a command with a model of a device (device.h) plugged into Linux's virtual host controller (vhci-hcd). This
 * program is the server of its USB/IP connection (Linux, Documentation/usb/usbip_protocol.rst). Needs root.
 *
 *	vhci DEVICE COMMAND [ARGUMENT]...
 *
 * DEVICE is the model's words: see board.c and tests/probe-model/probe.c. The command has to wait until the kernel has
 * found the device. The exit status is the command's.
 */
#include "device.h"

#include <endian.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ATTACH "/sys/devices/platform/vhci_hcd.0/attach"

/* Messages are big-endian; these are offsets in bytes. */
#define MESSAGE_SIZE 48

enum { SUBMIT = 1, UNLINK = 2, SUBMITTED = 3, UNLINKED = 4 };
enum { AT_COMMAND = 0, AT_SEQUENCE = 4, AT_DIRECTION = 12, AT_ENDPOINT = 16 };
enum { AT_FLAGS = 20, AT_LENGTH = 24, AT_SETUP = 40 }; /* in SUBMIT */
enum { AT_VICTIM = 20 };                               /* in UNLINK */
enum { AT_STATUS = 20, AT_ACTUAL_LENGTH = 24 };        /* in answers */

#define ZERO_PACKET 0x40 /* in flags: URB_ZERO_PACKET */

#define LENGTH_MAX 65536

struct request {
	struct transfer transfer;
	uint32_t sequence;
	uint8_t setup[8];
	uint8_t bytes[LENGTH_MAX];
};

struct bus {
	struct device *device;
	int host;                   /* the connection; -1: unplugged */
	struct transfer *transfers; /* each begins a struct request */
};

static void fail(const char *what)
{
	fprintf(stderr, "vhci: %s: %s\n", what, strerror(errno));
	exit(125);
}

static uint32_t get(const uint8_t *message, size_t offset)
{
	uint32_t value;

	memcpy(&value, message + offset, sizeof value);
	return be32toh(value);
}

static void put(uint8_t *message, size_t offset, uint32_t value)
{
	value = htobe32(value);
	memcpy(message + offset, &value, sizeof value);
}

/* Returns false when the host has hung up. */
static bool receive(struct bus *bus, void *bytes, size_t size)
{
	return size == 0 || recv(bus->host, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

/* The kernel accepts an answer at once or never. */
static void answer(struct bus *bus, uint32_t command, uint32_t sequence, int status, const uint8_t *bytes, size_t size,
                   size_t length)
{
	uint8_t message[MESSAGE_SIZE + LENGTH_MAX] = {0};

	put(message, AT_COMMAND, command);
	put(message, AT_SEQUENCE, sequence);
	put(message, AT_STATUS, (uint32_t)status);
	put(message, AT_ACTUAL_LENGTH, (uint32_t)length);
	if (size > 0)
		memcpy(message + MESSAGE_SIZE, bytes, size);
	send(bus->host, message, MESSAGE_SIZE + size, MSG_NOSIGNAL);
}

static void remove_request(struct bus *bus, struct request *request)
{
	transfers_remove(&bus->transfers, &request->transfer);
	free(request);
}

/* Advances all transfers and answers the finished ones. Returns true if there were any: bytes from the host may let the
 * device send. */
static bool advance(struct bus *bus)
{
	bool has_finished = false;

	transfers_advance(bus->transfers, bus->device);
	for (struct transfer *transfer = bus->transfers, *next; transfer != NULL; transfer = next) {
		struct request *request = (struct request *)transfer;
		const bool is_in = transfer->endpoint & 0x80 || (transfer->setup != NULL && transfer->setup[0] & 0x80);

		next = transfer->next;
		if (!transfer->is_finished || transfer->status == -ESHUTDOWN)
			continue;
		answer(bus, SUBMITTED, request->sequence, transfer->status, transfer->bytes, is_in ? transfer->done : 0,
		       transfer->done);
		remove_request(bus, request);
		has_finished = true;
	}
	return has_finished;
}

static bool submit(struct bus *bus, const uint8_t *message)
{
	struct request *request = calloc(1, sizeof *request);
	const bool is_in = get(message, AT_DIRECTION) == 1;
	const size_t length = get(message, AT_LENGTH);

	if (request == NULL || length > LENGTH_MAX) {
		free(request);
		return false;
	}
	memcpy(request->setup, message + AT_SETUP, sizeof request->setup);
	request->sequence = get(message, AT_SEQUENCE);
	request->transfer = (struct transfer){
	        .endpoint = (uint8_t)(get(message, AT_ENDPOINT) | (is_in ? 0x80 : 0)),
	        .setup = get(message, AT_ENDPOINT) == 0 ? request->setup : NULL,
	        .bytes = request->bytes,
	        .size = length,
	        .ends = device_ends_transfer(bus->device, length, (get(message, AT_FLAGS) & ZERO_PACKET) != 0),
	};
	transfers_append(&bus->transfers, &request->transfer);
	return is_in || receive(bus, request->bytes, length);
}

/* Status 0 says that the transfer was answered before. */
static void unlink_request(struct bus *bus, const uint8_t *message)
{
	const uint32_t victim = get(message, AT_VICTIM);
	int status = 0;

	for (struct transfer *transfer = bus->transfers; transfer != NULL; transfer = transfer->next)
		if (((struct request *)transfer)->sequence == victim) {
			remove_request(bus, (struct request *)transfer);
			status = -ECONNRESET;
			break;
		}
	answer(bus, UNLINKED, get(message, AT_SEQUENCE), status, NULL, 0, 0);
}

static bool handle_message(struct bus *bus)
{
	uint8_t message[MESSAGE_SIZE];

	if (!receive(bus, message, sizeof message))
		return false;
	if (get(message, AT_COMMAND) == SUBMIT)
		return submit(bus, message);
	unlink_request(bus, message);
	return true;
}

static void unplug(struct bus *bus)
{
	close(bus->host);
	bus->host = -1;
	while (bus->transfers != NULL)
		remove_request(bus, (struct request *)bus->transfers);
}

/* Uses port 0. Speed 2 is full speed, 3 high speed; the device's id, bus 1 and device 2, has no effect. */
static void plug_in(struct bus *bus)
{
	int ends[2];
	char line[64];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		fail("socketpair");
	int attach = open(ATTACH, O_WRONLY | O_CLOEXEC);
	int length = snprintf(line, sizeof line, "0 %d %d %d", ends[0], 1 << 16 | 2, bus->device->packet > 64 ? 3 : 2);
	if (attach < 0 || write(attach, line, (size_t)length) != length)
		fail(ATTACH);
	close(attach);
	close(ends[0]);
	bus->host = ends[1];
}

/* Serves the kernel until the command ends. Returns its exit status. */
static int serve(struct bus *bus, pid_t command, int children)
{
	int status;
	struct signalfd_siginfo ended;

	for (;;) {
		struct pollfd ready[] = {{.fd = bus->host, .events = POLLIN},
		                         {.fd = children, .events = POLLIN},
		                         {.fd = bus->device->input, .events = POLLIN}};

		/* Look again soon: a device may become ready without a sign, such as after a delay. */
		poll(ready, bus->transfers != NULL ? 3 : 2, 10);
		if (ready[0].revents && !handle_message(bus))
			unplug(bus);
		while (advance(bus))
			;
		if (bus->host >= 0 && bus->device->is_gone)
			unplug(bus);
		if (ready[1].revents && read(children, &ended, sizeof ended) > 0 &&
		    waitpid(command, &status, WNOHANG) == command)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
}

int main(int argc, char **argv)
{
	static struct bus bus;
	sigset_t child;
	int end = 0;

	bus.device = device_open(argc, argv, &end);
	if (bus.device == NULL || argc - end < 1) {
		fprintf(stderr, "usage: vhci %s COMMAND [ARGUMENT]...\n", device_usage);
		return 125;
	}
	plug_in(&bus);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	int children = signalfd(-1, &child, SFD_CLOEXEC);
	pid_t command = fork();
	if (command == 0) {
		sigprocmask(SIG_UNBLOCK, &child, NULL);
		execvp(argv[end], argv + end);
		_exit(127);
	}
	int status = serve(&bus, command, children);
	bus.device->ops->stop(bus.device);
	return status;
}
