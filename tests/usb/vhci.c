/* SPDX-License-Identifier: MIT */
/*
 * Runs a command beside a device (device.h), plugged into the virtual host controller of Linux (vhci-hcd), for which it
 * is the other end of a USB/IP connection (Linux, Documentation/usb/usbip_protocol.rst). Needs root.
 *
 *	vhci DEVICE COMMAND [ARGUMENT]...
 *
 * DEVICE is what the model takes: for board.c its options, and a line for the shell whose input and output are the
 * board's other side. The exit status is that of the command, which has to wait for the device.
 */
#include "device.h"

#include <endian.h>
#include <errno.h>
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

/* Of messages, big-endian; offsets in bytes. */
#define MESSAGE_SIZE 48

enum { SUBMIT = 1, UNLINK = 2, SUBMITTED = 3, UNLINKED = 4 };
enum { AT_COMMAND = 0, AT_SEQUENCE = 4, AT_DIRECTION = 12, AT_ENDPOINT = 16 };
enum { AT_FLAGS = 20, AT_LENGTH = 24, AT_SETUP = 40 }; /* of SUBMIT */
enum { AT_VICTIM = 20 };                               /* of UNLINK */
enum { AT_STATUS = 20, AT_ACTUAL_LENGTH = 24 };        /* of answers */

#define ZERO_PACKET 0x40 /* of flags: URB_ZERO_PACKET */

#define REQUESTS_MAX 64
#define LENGTH_MAX   65536

struct request {
	uint32_t sequence;
	uint8_t endpoint; /* with 0x80 where it leads to the host */
	uint8_t setup[8];
	bool ends; /* with a short packet or an empty one */
	size_t length, taken;
	uint8_t bytes[LENGTH_MAX];
};

struct rig {
	struct device *device;
	int host; /* the connection; -1 = unplugged */
	struct request *requests[REQUESTS_MAX];
	size_t count;
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

/* False once the host has hung up. */
static bool receive(struct rig *rig, void *bytes, size_t size)
{
	return size == 0 || recv(rig->host, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

static void answer(struct rig *rig, uint32_t command, uint32_t sequence, int status, const uint8_t *bytes, size_t size,
                   size_t length)
{
	uint8_t message[MESSAGE_SIZE + LENGTH_MAX] = {0};

	put(message, AT_COMMAND, command);
	put(message, AT_SEQUENCE, sequence);
	put(message, AT_STATUS, (uint32_t)status);
	put(message, AT_ACTUAL_LENGTH, (uint32_t)length);
	if (size > 0)
		memcpy(message + MESSAGE_SIZE, bytes, size);
	/* It goes out at once or never will: the kernel takes what it is sent. */
	send(rig->host, message, MESSAGE_SIZE + size, MSG_NOSIGNAL);
}

static void remove_request(struct rig *rig, size_t index)
{
	free(rig->requests[index]);
	rig->count--;
	memmove(rig->requests + index, rig->requests + index + 1, (rig->count - index) * sizeof rig->requests[0]);
}

/* True if it is done and was answered. */
static bool do_in(struct rig *rig, struct request *request)
{
	struct device *device = rig->device;
	int size = request->endpoint == 0x80
	                   ? device->ops->control(device, request->setup, request->bytes, request->length)
	                   : device->ops->send(device, request->endpoint, request->bytes, request->length);
	if (size == DEVICE_NOT_NOW)
		return false;
	size_t sent = size > 0 ? (size_t)size : 0;
	answer(rig, SUBMITTED, request->sequence, size < 0 ? size : 0, request->bytes, sent, sent);
	return true;
}

static bool do_out(struct rig *rig, struct request *request)
{
	struct device *device = rig->device;
	int size;

	do {
		size = request->endpoint == 0
		               ? device->ops->control(device, request->setup, NULL, 0)
		               : device->ops->take(device, request->endpoint, request->bytes + request->taken,
		                                   request->length - request->taken, request->ends);
		if (request->endpoint == 0 && size == 0)
			request->taken = request->length;
		else if (size > 0)
			request->taken += (size_t)size;
	} while (size > 0 && request->taken < request->length);
	if (size == DEVICE_NOT_NOW)
		return false;
	answer(rig, SUBMITTED, request->sequence, size < 0 ? size : 0, NULL, 0, request->taken);
	return true;
}

static bool do_request(struct rig *rig, struct request *request)
{
	return request->endpoint & 0x80 ? do_in(rig, request) : do_out(rig, request);
}

/* Does what can be done; on each endpoint in order, whatever comes meanwhile. True if something was: what the device
 * took may be what it waited for to send. */
static bool advance(struct rig *rig)
{
	bool waits[256] = {false};
	size_t before = rig->count;

	for (size_t i = 0; i < rig->count && !rig->device->is_gone;) {
		uint8_t endpoint = rig->requests[i]->endpoint;
		if (!waits[endpoint] && do_request(rig, rig->requests[i])) {
			remove_request(rig, i);
		} else {
			waits[endpoint] = true;
			i++;
		}
	}
	return rig->count < before;
}

static bool take_submit(struct rig *rig, const uint8_t *message)
{
	struct request *request = calloc(1, sizeof *request);
	bool is_in = get(message, AT_DIRECTION) == 1;

	if (request == NULL || rig->count == REQUESTS_MAX || get(message, AT_LENGTH) > LENGTH_MAX) {
		free(request);
		return false;
	}
	rig->requests[rig->count++] = request;
	request->sequence = get(message, AT_SEQUENCE);
	request->endpoint = (uint8_t)(get(message, AT_ENDPOINT) | (is_in ? 0x80 : 0));
	request->length = get(message, AT_LENGTH);
	request->ends = request->length % rig->device->packet != 0 || get(message, AT_FLAGS) & ZERO_PACKET;
	memcpy(request->setup, message + AT_SETUP, sizeof request->setup);
	return is_in || receive(rig, request->bytes, request->length);
}

static void take_unlink(struct rig *rig, const uint8_t *message)
{
	uint32_t victim = get(message, AT_VICTIM);
	int status = 0; /* it was answered before */

	for (size_t i = 0; i < rig->count && status == 0; i++)
		if (rig->requests[i]->sequence == victim) {
			remove_request(rig, i);
			status = -ECONNRESET;
		}
	answer(rig, UNLINKED, get(message, AT_SEQUENCE), status, NULL, 0, 0);
}

static bool take_message(struct rig *rig)
{
	uint8_t message[MESSAGE_SIZE];

	if (!receive(rig, message, sizeof message))
		return false;
	if (get(message, AT_COMMAND) == SUBMIT)
		return take_submit(rig, message);
	take_unlink(rig, message);
	return true;
}

static void unplug(struct rig *rig)
{
	close(rig->host);
	rig->host = -1;
	while (rig->count > 0)
		remove_request(rig, 0);
}

/* Port 0, full speed (2) or high speed (3); the device's id is bus 1, device 2, of which nothing depends. */
static void plug_in(struct rig *rig)
{
	int ends[2];
	char line[64];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		fail("socketpair");
	int attach = open(ATTACH, O_WRONLY | O_CLOEXEC);
	int length = snprintf(line, sizeof line, "0 %d %d %d", ends[0], 1 << 16 | 2, rig->device->packet > 64 ? 3 : 2);
	if (attach < 0 || write(attach, line, (size_t)length) != length)
		fail(ATTACH);
	close(attach);
	close(ends[0]);
	rig->host = ends[1];
}

/* Serves until the command has ended: its exit status. */
static int serve(struct rig *rig, pid_t command, int children)
{
	int status;
	struct signalfd_siginfo ended;

	for (;;) {
		struct pollfd ready[] = {{.fd = rig->host, .events = POLLIN},
		                         {.fd = children, .events = POLLIN},
		                         {.fd = rig->device->input, .events = POLLIN}};
		/* Not for ever: the program may have taken, not sent; and what it sent may not be wanted yet. */
		poll(ready, rig->count > 0 ? 3 : 2, 10);
		if (ready[0].revents && !take_message(rig))
			unplug(rig);
		while (advance(rig))
			;
		if (rig->host >= 0 && rig->device->is_gone)
			unplug(rig);
		if (ready[1].revents && read(children, &ended, sizeof ended) > 0 &&
		    waitpid(command, &status, WNOHANG) == command)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
}

int main(int argc, char **argv)
{
	static struct rig rig;
	sigset_t child;

	int first = 0;
	rig.device = device_open(argc, argv, &first);
	if (rig.device == NULL || argc - first < 1) {
		fprintf(stderr, "usage: vhci %s COMMAND [ARGUMENT]...\n", device_usage);
		return 125;
	}
	plug_in(&rig);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	int children = signalfd(-1, &child, SFD_CLOEXEC);
	pid_t command = fork();
	if (command == 0) {
		sigprocmask(SIG_UNBLOCK, &child, NULL);
		execvp(argv[first], argv + first);
		_exit(127);
	}
	int status = serve(&rig, command, children);
	rig.device->ops->stop(rig.device);
	return status;
}
