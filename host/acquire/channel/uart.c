/* SPDX-License-Identifier: MIT */
/* The channel for serial ports (UART adapters, USB CDC) and ptys: 8 data bits, no parity, one stop bit, no flow
 * control. Settings go to the kernel directly: termios loses unusual rates (ioctl_tty(2), BOTHER), and its header
 * conflicts with the kernel's. */
#include "acquire/channel/channel.h"
#include "acquire/channel/uart_ports.h"
#include "base/file/user.h"
#include "base/wait.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* On Alpha and PowerPC the original structure (struct termios) already has rates. */
#ifndef TCGETS2
#define termios2 termios
#define TCGETS2  TCGETS
#define TCSETS2  TCSETS
#endif

#define BAUD_DEFAULT 115200u
/* Higher rates are typos. */
#define BAUD_MAX 100000000

/* The largest error of a rate in percent. A frame of 10 bits survives a difference of 5 % between both ends; half of it
 * is left to the other end. */
#define RATE_ERROR_MAX 2.5

struct uart_settings {
	uint32_t baud;           /* 0: not given */
	int lines_on, lines_off; /* TIOCM_DTR and TIOCM_RTS; other lines are not changed */
};

struct uart {
	struct channel channel;
	int descriptor;        /* non-blocking */
	bool is_port;          /* has a rate and modem lines, unlike a pty */
	bool is_changed;       /* settings must be restored */
	struct termios2 found; /* original settings */
};

static enum status parse_line(const struct source *source, const char *name, int line, struct uart_settings *settings,
                              struct error *error)
{
	const char *value = source_value(source, name);

	if (value == NULL)
		return STATUS_OK;
	if (strcmp(value, "on") == 0)
		settings->lines_on |= line;
	else if (strcmp(value, "off") == 0)
		settings->lines_off |= line;
	else
		return source_refuse(source, name, error, "expected on or off");
	return STATUS_OK;
}

static enum status parse_uart_settings(const struct source *source, struct uart_settings *settings,
                                       unsigned *milliseconds, struct error *error)
{
	uint64_t baud = 0;

	enum status status = source_number(source, "baud", 1, BAUD_MAX, &baud, error);
	settings->baud = (uint32_t)baud;
	if (status == STATUS_OK)
		status = parse_line(source, "dtr", TIOCM_DTR, settings, error);
	if (status == STATUS_OK)
		status = parse_line(source, "rts", TIOCM_RTS, settings, error);
	if (status == STATUS_OK)
		status = source_milliseconds(source, "timeout", milliseconds, error);
	if (status == STATUS_OK && source->address[0] == 0)
		status = status_usage(error, "uart: which? bareprof devices lists the serial ports");
	return status;
}

static enum status fail_with_errno(const char *where, const char *action, struct error *error)
{
	return status_fail(error, "%s: cannot %s: %s", where, action, strerror(errno));
}

static enum status fail_to_open(const char *where, const char *device, int failure, struct error *error)
{
	char reason[384];

	uart_ports_explain(device, failure, reason, sizeof reason);
	return status_fail(error, "%s: %s", where, reason);
}

/* Raw 8N1 at this rate; 0 keeps the rate. */
static struct termios2 raw_settings(const struct termios2 *found, uint32_t baud)
{
	struct termios2 raw = *found;

	raw.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON | IXOFF);
	raw.c_oflag &= ~(tcflag_t)OPOST;
	raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	raw.c_cflag &= ~(tcflag_t)(CSIZE | PARENB | CSTOPB | CRTSCTS);
	raw.c_cflag |= CS8 | CLOCAL | CREAD;
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (baud != 0) {
		raw.c_cflag &= ~(tcflag_t)(CBAUD | CBAUD << IBSHIFT);
		raw.c_cflag |= BOTHER;
		raw.c_ispeed = raw.c_ospeed = baud;
	}
	return raw;
}

static enum status check_baud(const char *where, int descriptor, uint32_t baud, struct error *error)
{
	struct termios2 actual;

	if (ioctl(descriptor, TCGETS2, &actual) < 0)
		return fail_with_errno(where, "read the rate", error);
	double error_percent = (actual.c_ospeed / (double)baud - 1) * 100;
	bool is_known = actual.c_ospeed != 0; /* some drivers do not report it */
	if (!is_known || (error_percent <= RATE_ERROR_MAX && error_percent >= -RATE_ERROR_MAX))
		return STATUS_OK;
	return status_fail(error, "%s: the port cannot do %" PRIu32 " baud, the nearest it has is %" PRIu32, where,
	                   baud, (uint32_t)actual.c_ospeed);
}

static enum status set_lines(const char *where, int descriptor, const struct uart_settings *settings,
                             struct error *error)
{
	bool ok = (settings->lines_on == 0 || ioctl(descriptor, TIOCMBIS, &settings->lines_on) == 0) &&
	          (settings->lines_off == 0 || ioctl(descriptor, TIOCMBIC, &settings->lines_off) == 0);

	return ok ? STATUS_OK : fail_with_errno(where, "set DTR and RTS", error);
}

static enum status set_up(const char *where, struct uart *uart, const struct uart_settings *settings,
                          struct error *error)
{
	int descriptor = uart->descriptor, lines;
	uint32_t baud = settings->baud;

	if (ioctl(descriptor, TCGETS2, &uart->found) < 0)
		return fail_with_errno(where, "read the settings", error);
	uart->is_port = ioctl(descriptor, TIOCMGET, &lines) == 0;
	if (uart->is_port && baud == 0)
		baud = BAUD_DEFAULT;
	if (!uart->is_port && (settings->lines_on | settings->lines_off) != 0)
		return status_fail(error, "%s: it has no DTR and RTS", where);
	struct termios2 raw = raw_settings(&uart->found, uart->is_port ? baud : 0);
	uart->is_changed = true;
	if (ioctl(descriptor, TCSETS2, &raw) < 0)
		return fail_with_errno(where, "set up the port", error);
	/* The lock keeps out only programs that check locks. This keeps out all programs except root's. */
	ioctl(descriptor, TIOCEXCL);
	uart->channel.bit_rate = baud;
	enum status status = uart->is_port ? check_baud(where, descriptor, baud, error) : STATUS_OK;
	if (status == STATUS_OK)
		status = set_lines(where, descriptor, settings, error);
	if (status == STATUS_OK && ioctl(descriptor, TCFLSH, TCIOFLUSH) < 0)
		status = fail_with_errno(where, "empty the buffers", error);
	return status;
}

static enum status open_serial_device(const char *where, const char *device, const struct uart_settings *settings,
                                      struct uart *uart, struct error *error)
{
	uart->descriptor = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (uart->descriptor < 0)
		return fail_to_open(where, device, errno, error);
	/* Checked before any change, because other programs may be using the device. */
	if (!isatty(uart->descriptor))
		return status_fail(error, "%s: not a serial port", where);
	if (flock(uart->descriptor, LOCK_EX | LOCK_NB) < 0)
		return fail_to_open(where, device, EBUSY, error);
	return set_up(where, uart, settings, error);
}

static void uart_close(struct channel *channel)
{
	struct uart *uart = (struct uart *)channel;

	if (uart->is_changed) {
		ioctl(uart->descriptor, TCSETS2, &uart->found);
		/* Without this, nobody could open the terminal as long as another program has it open. */
		ioctl(uart->descriptor, TIOCNXCL);
	}
	if (uart->descriptor >= 0)
		close(uart->descriptor);
	free(uart);
}

/* Notes that another program uses the device. Without a lock it does not keep others out, and each byte goes to only
 * one program. */
static void note_user(struct channel *channel, const char *device)
{
	char path[PATH_MAX], user[FILE_USER_MAX];

	if (realpath(device, path) != NULL && file_find_user(path, user, sizeof user))
		snprintf(channel->note, sizeof channel->note,
		         "%s has %.80s open, too: what it reads is lost to this pull", user, device);
}

static enum status uart_open(const struct source *source, int cancel, struct channel **channel, struct error *error)
{
	const char *device = source->address;
	char where[PATH_MAX + 8];
	struct uart_settings settings = {0};

	struct uart *uart = calloc(1, sizeof *uart);
	if (uart == NULL)
		return status_fail(error, "uart:%s: out of memory", device);
	uart->channel = (struct channel){.ops = &channel_uart, .cancel = cancel, .timeout = CHANNEL_TIMEOUT_DEFAULT};
	uart->descriptor = -1;
	enum status status = parse_uart_settings(source, &settings, &uart->channel.timeout, error);
	if (status == STATUS_OK) {
		snprintf(where, sizeof where, "uart:%s", device);
		status = open_serial_device(where, device, &settings, uart, error);
	}
	if (status != STATUS_OK) {
		uart_close(&uart->channel);
		return status;
	}
	note_user(&uart->channel, device);
	*channel = &uart->channel;
	return STATUS_OK;
}

static enum wait_result explain_hang_up(struct uart *uart)
{
	snprintf(uart->channel.reason, sizeof uart->channel.reason, "%s",
	         uart->is_port ? "the device was unplugged" : "the other end of the terminal was closed");
	return WAIT_CLOSED;
}

static bool may_retry(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* Distinguishes a hang-up from a read that found no bytes because another program took them. */
static bool is_hung_up(const struct uart *uart)
{
	struct pollfd state = {.fd = uart->descriptor};

	return poll(&state, 1, 0) > 0;
}

static enum wait_result uart_read(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline,
                                  size_t *size)
{
	struct uart *uart = (struct uart *)channel;

	for (;;) {
		enum wait_result result = wait_until(uart->descriptor, POLLIN, channel->cancel, deadline);

		if (result != WAIT_DONE)
			return result;
		ssize_t count = read(uart->descriptor, bytes, capacity);
		if (count > 0) {
			*size = (size_t)count;
			return WAIT_DONE;
		}
		if (count == 0 ? is_hung_up(uart) : !may_retry())
			return explain_hang_up(uart);
	}
}

static enum wait_result uart_write(struct channel *channel, const void *bytes, size_t size, uint64_t deadline)
{
	struct uart *uart = (struct uart *)channel;
	const char *next = bytes;

	while (size > 0) {
		ssize_t count = write(uart->descriptor, next, size);

		if (count > 0) {
			next += count;
			size -= (size_t)count;
			continue;
		}
		if (count < 0 && !may_retry())
			return explain_hang_up(uart);
		enum wait_result result = wait_until(uart->descriptor, POLLOUT, channel->cancel, deadline);
		if (result != WAIT_DONE)
			return result;
	}
	return WAIT_DONE;
}

const struct channel_ops channel_uart = {
        .syntax = {.scheme = "uart",
                   .synopsis = ":DEVICE[,baud=N][,dtr=on|off][,rts=on|off][,timeout=SECONDS]",
                   .summary = "a serial port: a UART, USB CDC, a pty",
                   .options = {"baud", "dtr", "rts", "timeout"}},
        .open = uart_open,
        .read = uart_read,
        .write = uart_write,
        .close = uart_close,
        .list = uart_ports_list,
};
