/* SPDX-License-Identifier: MIT */
/* The channel for serial ports: a UART behind an adapter, USB CDC, a pty. */
#include "base/wait.h"
#include "target/channel/channel.h"
#include "target/channel/uart_open.h"
#include "target/channel/uart_ports.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Higher rates are typing errors. */
#define BAUD_MAX 100000000

struct uart {
	struct channel channel;
	struct uart_port port;
};

static enum status parse_line(const struct source *source, const char *name, enum uart_line *line, struct error *error)
{
	const char *value = source_value(source, name);

	if (!value)
		return STATUS_OK;
	*line = strcmp(value, "on") == 0 ? UART_LINE_ON : UART_LINE_OFF;
	if (*line == UART_LINE_OFF && strcmp(value, "off") != 0)
		return source_refuse(source, name, error, "expected on or off");
	return STATUS_OK;
}

static enum status parse(const struct source *source, struct uart_settings *settings, unsigned *milliseconds,
                         struct error *error)
{
	uint64_t baud = 0;

	enum status status = source_number(source, "baud", 1, BAUD_MAX, &baud, error);
	settings->baud = (uint32_t)baud;
	if (!status)
		status = parse_line(source, "dtr", &settings->dtr, error);
	if (!status)
		status = parse_line(source, "rts", &settings->rts, error);
	if (!status)
		status = source_milliseconds(source, "timeout", milliseconds, error);
	if (!status && source->address[0] == 0)
		status = status_usage(error, "uart: which? bareprof devices lists the serial ports");
	return status;
}

/* A program without a lock does not keep others out, and each byte goes to only one of them. */
static void note_user(struct channel *channel, const char *device)
{
	char path[PATH_MAX], user[UART_USER_MAX];

	if (realpath(device, path) != NULL && uart_ports_find_user(path, user, sizeof user))
		snprintf(channel->note, sizeof channel->note,
		         "%s has %.80s open, too: what it reads is lost to this pull", user, device);
}

static enum status uart_open(const struct source *source, int cancel, struct channel **channel, struct error *error)
{
	const char *device = source->address;
	char where[PATH_MAX + 8];
	struct uart_settings settings = {.baud = 0};

	struct uart *uart = calloc(1, sizeof *uart);
	if (!uart)
		return status_fail(error, "uart:%s: out of memory", device);
	uart->channel.ops = &channel_uart;
	uart->channel.timeout = CHANNEL_TIMEOUT_DEFAULT;
	uart->channel.cancel = cancel;
	enum status status = parse(source, &settings, &uart->channel.timeout, error);
	if (!status) {
		snprintf(where, sizeof where, "uart:%s", device);
		status = uart_port_open(where, device, &settings, &uart->port, error);
	}
	if (status != STATUS_OK) {
		free(uart);
		return status;
	}
	uart->channel.bit_rate = uart->port.bit_rate;
	note_user(&uart->channel, device);
	*channel = &uart->channel;
	return STATUS_OK;
}

static enum wait_result closed(struct uart *uart)
{
	snprintf(uart->channel.reason, sizeof uart->channel.reason, "%s",
	         uart->port.port != NULL ? "the device was unplugged" : "the other end of the terminal was closed");
	return WAIT_CLOSED;
}

static bool may_be_tried_again(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* A read of no bytes may also mean that another program took them. */
static bool is_hung_up(const struct uart *uart)
{
	struct pollfd state = {.fd = uart->port.descriptor};
	return poll(&state, 1, 0) > 0;
}

static enum wait_result uart_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline,
                                  size_t *size)
{
	struct uart *uart = (struct uart *)channel;

	for (;;) {
		enum wait_result result = wait_until(uart->port.descriptor, POLLIN, channel->cancel, deadline);
		if (result != WAIT_DONE)
			return result;
		ssize_t count = read(uart->port.descriptor, bytes, capacity);
		if (count > 0) {
			*size = (size_t)count;
			return WAIT_DONE;
		}
		if (count == 0 ? is_hung_up(uart) : !may_be_tried_again())
			return closed(uart);
	}
}

static enum wait_result uart_write(struct channel *channel, const void *bytes, size_t size, uint64_t deadline)
{
	struct uart *uart = (struct uart *)channel;
	const char *next = bytes;

	while (size > 0) {
		ssize_t count = write(uart->port.descriptor, next, size);
		if (count > 0) {
			next += count;
			size -= (size_t)count;
			continue;
		}
		if (count < 0 && !may_be_tried_again())
			return closed(uart);
		enum wait_result result = wait_until(uart->port.descriptor, POLLOUT, channel->cancel, deadline);
		if (result != WAIT_DONE)
			return result;
	}
	return WAIT_DONE;
}

static void uart_close(struct channel *channel)
{
	struct uart *uart = (struct uart *)channel;
	uart_port_close(&uart->port);
	free(uart);
}

const struct channel_ops channel_uart = {
        .scheme = "uart",
        .synopsis = ":DEVICE[,baud=N][,dtr=on|off][,rts=on|off][,timeout=SECONDS]",
        .summary = "a serial port: a UART, USB CDC, a pty",
        .options = {"baud", "dtr", "rts", "timeout"},
        .open = uart_open,
        .read = uart_read,
        .write = uart_write,
        .close = uart_close,
        .list = uart_ports_list,
};
