/* SPDX-License-Identifier: MIT */
/* A channel: a stream of bytes to and from a target, over any wire, which may lose, corrupt or duplicate bytes. One
 * file per kind, one line each in backend/table.c. */
#ifndef ACQUIRE_CHANNEL_CHANNEL_H
#define ACQUIRE_CHANNEL_CHANNEL_H

#include "acquire/channel/source.h"
#include "acquire/device.h"
#include "base/clock.h"
#include "base/status.h"
#include "base/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct channel;

struct channel_ops {
	struct source_syntax syntax; /* with the link's option timeout=SECONDS */
	/* Opens a source. On success the caller owns *channel and closes it. Once the descriptor cancel is readable,
	 * any wait returns WAIT_CANCELLED; -1: nothing cancels. */
	enum status (*open)(const struct source *source, int cancel, struct channel **channel, struct error *error);
	/* Waits until the deadline for bytes. WAIT_DONE: *size bytes, at least one, were read. WAIT_CLOSED:
	 * channel->reason is the reason. */
	enum wait_result (*read)(struct channel *channel, void *bytes, size_t capacity, uint64_t deadline,
	                         size_t *size);
	/* WAIT_DONE: everything was sent. */
	enum wait_result (*write)(struct channel *channel, const void *bytes, size_t size, uint64_t deadline);
	void (*close)(struct channel *channel);
	/* Calls found() for each attached device. NULL: they cannot be listed. */
	enum status (*list)(device_found found, void *context, struct error *error);
	/* The channel has no baud rate, so messages do not suggest a wrong one. */
	bool has_no_rate;
	/* NULL: the system's clock; tests set another one. */
	const struct clock *clock;
};

/* The state of every channel begins with this. */
struct channel {
	const struct channel_ops *ops;
	int cancel;        /* as given to open(); later set to -1, so that nothing cancels */
	char reason[128];  /* reason of the last WAIT_CLOSED, for messages: "the device was unplugged" */
	char note[256];    /* a note to the user about how it was opened; empty = none */
	unsigned timeout;  /* the link's time-out in milliseconds, see client.h */
	uint32_t bit_rate; /* bits per second, start and stop bits included; 0: unknown */
};

extern const struct channel_ops channel_uart; /* serial port: uart.c */
extern const struct channel_ops channel_usb;  /* USB bulk endpoints: usb.c */
extern const struct channel_ops channel_tcp;  /* QEMU's serial ports, ser2net: tcp_channel.c */

/* Opens a TCP channel, not necessarily to a link, within timeout milliseconds. channel->timeout is set to the same
 * value; for the other parameters see tcp_connect() and channel_ops.open. */
enum status tcp_channel_connect(const char *where, const char *host_port, unsigned timeout, int cancel,
                                struct channel **channel, struct error *error);

/* The link's time-out in milliseconds, unless timeout=SECONDS is given. */
#define CHANNEL_TIMEOUT_DEFAULT 5000u

#endif
