/* SPDX-License-Identifier: MIT */
/* See uart_open.h. */
#include "target/channel/uart_open.h"

#include "target/channel/uart_found.h"
#include "target/channel/uart_ports.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libserialport.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define BAUD_DEFAULT 115200u

/* The largest error of a rate in percent: a frame of 10 bits survives 5 % between both ends, and the other end needs
 * its share. */
#define RATE_ERROR_MAX 2.5

static enum status explain(const char *where, const char *device, int failure, struct error *error)
{
	char reason[384];
	uart_ports_explain(device, failure, reason, sizeof reason);
	return status_fail(error, "%s: %s", where, reason);
}

static enum status cannot(const char *where, const char *what, struct error *error)
{
	return status_fail(error, "%s: cannot %s: %s", where, what, strerror(errno));
}

static enum status check_rate(const char *where, const struct uart_port *port, uint32_t baud, struct error *error)
{
	struct sp_port_config *config;
	int actual = 0;

	if (sp_new_config(&config) != SP_OK)
		return status_fail(error, "%s: out of memory", where);
	if (sp_get_config(port->port, config) == SP_OK)
		sp_get_config_baudrate(config, &actual);
	sp_free_config(config);
	if (actual <= 0)
		return STATUS_OK; /* the driver does not report it */
	double error_percent = (actual / (double)baud - 1) * 100;
	if (error_percent <= RATE_ERROR_MAX && error_percent >= -RATE_ERROR_MAX)
		return STATUS_OK;
	return status_fail(error, "%s: the port cannot do %" PRIu32 " baud, the nearest it has is %d", where, baud,
	                   actual);
}

static enum sp_dtr dtr_setting(enum uart_line line)
{
	return line == UART_LINE_ON ? SP_DTR_ON : SP_DTR_OFF;
}

static enum sp_rts rts_setting(enum uart_line line)
{
	return line == UART_LINE_ON ? SP_RTS_ON : SP_RTS_OFF;
}

static enum status set_line(const char *where, const struct uart_port *port, const struct uart_settings *settings,
                            uint32_t baud, struct error *error)
{
	struct sp_port_config *config;

	if (sp_new_config(&config) != SP_OK)
		return status_fail(error, "%s: out of memory", where);
	sp_set_config_baudrate(config, (int)baud);
	sp_set_config_bits(config, 8);
	sp_set_config_parity(config, SP_PARITY_NONE);
	sp_set_config_stopbits(config, 1);
	sp_set_config_xon_xoff(config, SP_XONXOFF_DISABLED);
	sp_set_config_cts(config, SP_CTS_IGNORE);
	sp_set_config_dsr(config, SP_DSR_IGNORE);
	if (settings->dtr != UART_LINE_LEFT)
		sp_set_config_dtr(config, dtr_setting(settings->dtr));
	if (settings->rts != UART_LINE_LEFT)
		sp_set_config_rts(config, rts_setting(settings->rts));
	enum sp_return result = sp_set_config(port->port, config);
	int failure = errno;
	sp_free_config(config);
	errno = failure;
	return result == SP_OK ? STATUS_OK : cannot(where, "set up the port", error);
}

/* Clears flow control that others left on: libserialport 0.1.1 looks for CRTSCTS among the wrong flags and never
 * switches it off. */
static enum status end_flow_control(const char *where, int descriptor, struct error *error)
{
	struct termios settings;

	if (tcgetattr(descriptor, &settings) < 0)
		return cannot(where, "set up the port", error);
	settings.c_cflag &= ~(tcflag_t)CRTSCTS;
	return tcsetattr(descriptor, TCSANOW, &settings) < 0 ? cannot(where, "set up the port", error) : STATUS_OK;
}

static enum status set_up_port(const char *where, struct uart_port *port, const struct uart_settings *settings,
                               struct error *error)
{
	uint32_t baud = settings->baud ? settings->baud : BAUD_DEFAULT;

	enum status status = end_flow_control(where, port->descriptor, error);
	if (status == STATUS_OK)
		status = set_line(where, port, settings, baud, error);
	if (status == STATUS_OK)
		status = check_rate(where, port, baud, error);
	port->bit_rate = baud;
	return status;
}

static enum status set_up_terminal(const char *where, struct uart_port *port, const struct uart_settings *settings,
                                   struct error *error)
{
	struct termios raw;

	if (settings->dtr != UART_LINE_LEFT || settings->rts != UART_LINE_LEFT)
		return status_fail(error, "%s: it has no DTR and RTS", where);
	if (tcgetattr(port->descriptor, &raw) < 0)
		return cannot(where, "set up the terminal", error);
	cfmakeraw(&raw);
	raw.c_cflag |= CLOCAL | CREAD;
	if (tcsetattr(port->descriptor, TCSANOW, &raw) < 0)
		return cannot(where, "set up the terminal", error);
	port->bit_rate = settings->baud;
	return STATUS_OK;
}

/* libserialport rejects terminals without an entry in sysfs, such as a pty, or without modem lines: false. */
static bool is_port(const char *path, struct uart_port *port)
{
	if (sp_get_port_by_name(path, &port->port) != SP_OK) {
		port->port = NULL;
		return false;
	}
	if (sp_open(port->port, SP_MODE_READ_WRITE) == SP_OK)
		return true;
	sp_free_port(port->port);
	port->port = NULL;
	return false;
}

static enum status set_up(const char *where, const char *path, const struct uart_settings *settings,
                          struct uart_port *port, struct error *error)
{
	port->found = uart_found_keep(port->descriptor);
	if (port->found == NULL)
		return cannot(where, "tell how it is set up", error);
	enum status status = is_port(path, port) ? set_up_port(where, port, settings, error)
	                                         : set_up_terminal(where, port, settings, error);
	if (status != STATUS_OK)
		return status;
	/* The lock keeps out programs that check locks; this keeps out all but root. */
	ioctl(port->descriptor, TIOCEXCL);
	return tcflush(port->descriptor, TCIOFLUSH) < 0 ? cannot(where, "empty the buffers", error) : STATUS_OK;
}

enum status uart_port_open(const char *where, const char *device, const struct uart_settings *settings,
                           struct uart_port *port, struct error *error)
{
	char path[PATH_MAX]; /* libserialport does not follow links, such as those in /dev/serial/by-id */

	*port = (struct uart_port){.descriptor = -1};
	if (realpath(device, path) != NULL)
		port->descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (port->descriptor < 0)
		return explain(where, device, errno, error);
	enum status status = STATUS_OK;
	/* Before any change: others may be using it. */
	if (!isatty(port->descriptor))
		status = status_fail(error, "%s: it is no serial port", where);
	else if (flock(port->descriptor, LOCK_EX | LOCK_NB) < 0)
		status = explain(where, device, EBUSY, error);
	else
		status = set_up(where, path, settings, port, error);
	if (status != STATUS_OK)
		uart_port_close(port);
	return status;
}

void uart_port_close(struct uart_port *port)
{
	if (port->found != NULL) {
		uart_found_restore(port->descriptor, port->found);
		/* Else a terminal that another program has open would stay closed to all. */
		ioctl(port->descriptor, TIOCNXCL);
	}
	if (port->port != NULL) {
		sp_close(port->port);
		sp_free_port(port->port);
	}
	close(port->descriptor);
}
