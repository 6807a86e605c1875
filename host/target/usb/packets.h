/* SPDX-License-Identifier: MIT */
/*
 * Packets to and from a device, whose borders mean something: bulk endpoints (bulk.c), HID reports (reports.c). Knows
 * nothing of what is in them.
 */
#ifndef TARGET_USB_PACKETS_H
#define TARGET_USB_PACKETS_H

#include "base/status.h"
#include "target/usb/interface.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKETS_SIZE_MAX      16384 /* bytes */
#define PACKETS_IN_FLIGHT_MAX 8

struct packets;

struct packets_ops {
	/* Puts a packet on its way; size is at most size_max. A device that takes none until deadline is a failure. */
	enum status (*send)(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
	                    struct error *error);
	/* Waits for the next packet; none until deadline is a failure, and *size is 0 then. Reports come as long as
	 * they are, with what fills them. */
	enum status (*receive)(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline, size_t *size,
	                       struct error *error);
	void (*close)(struct packets *packets);
};

/* Every implementation's state begins with this. */
struct packets {
	const struct packets_ops *ops;
	char source[256]; /* for messages */
	/* The longest packet that there may be, either way. Whoever speaks to the device lowers it, with nothing on its
	 * way, once the device has told what it takes; until then what comes must fit a piece. */
	size_t size_max;
	size_t wire_size;       /* of the pieces that a packet goes in; 0 = packets are reports of a fixed size */
	unsigned in_flight_max; /* requests that may be unanswered: 1 where more are known to get lost */
	int cancel;   /* waiting ends as soon as this descriptor can be read from; -1 = nothing ends it, as for what has
	               * to be said at the end. The user may change it. */
	bool is_lost; /* the device is gone or refuses transfers: what follows fails, too */
};

/* Opens the device that is wanted; what an earlier program left in it is taken and dropped. *packets is the caller's,
 * to be closed. */
enum status packets_open(const struct usb_kind *kind, const struct usb_address *wanted, int cancel,
                         struct packets **packets, struct error *error);

/* Takes packets and drops them, until none comes for a moment. */
void packets_drain(struct packets *packets);

#endif
