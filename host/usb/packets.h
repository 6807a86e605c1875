/* SPDX-License-Identifier: MIT */
/*
 * Packets to and from a device, whose borders mean something: bulk endpoints (bulk.c), HID reports (hid.c). Knows
 * nothing of what is in them.
 */
#ifndef USB_PACKETS_H
#define USB_PACKETS_H

#include "status/status.h"

#include <stddef.h>
#include <stdint.h>

struct packets;

struct packets_ops {
	/* Puts a packet on its way; size is at most size_max. A device that takes none until deadline is a failure. */
	enum status (*send)(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
	                    struct error *error);
	/* Waits for the next packet; none until deadline is a failure, and *size is 0 then. */
	enum status (*receive)(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline, size_t *size,
	                       struct error *error);
	void (*close)(struct packets *packets);
};

/* Every implementation's state begins with this. */
struct packets {
	const struct packets_ops *ops;
	char source[256];       /* for messages */
	size_t size_max;        /* of a packet, until packets_... is told another */
	unsigned in_flight_max; /* requests that may be unanswered */
};

#endif
