/* SPDX-License-Identifier: MIT */
/* Packets to and from a USB device: bulk endpoints (bulk.c), HID reports (reports.c). */
#ifndef ACQUIRE_USB_PACKETS_H
#define ACQUIRE_USB_PACKETS_H

#include "acquire/usb/interface.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACKETS_SIZE_MAX      16384 /* bytes */
#define PACKETS_IN_FLIGHT_MAX 8

struct packets;
struct usb_attached;

struct packets_ops {
	/* Sends a packet of at most size_max bytes. Fails if the device does not accept it before the deadline. */
	enum status (*send)(struct packets *packets, const void *bytes, size_t size, uint64_t deadline,
	                    struct error *error);
	/* Receives the next packet. Fails, with *size 0, if none comes before the deadline. Reports include their
	 * padding. */
	enum status (*receive)(struct packets *packets, void *bytes, size_t capacity, uint64_t deadline, size_t *size,
	                       struct error *error);
	void (*close)(struct packets *packets);
};

/* The state of every implementation begins with this. */
struct packets {
	const struct packets_ops *ops;
	char source[256]; /* for messages */
	/* The longest packet either way. The caller lowers it, with nothing in flight, once the device has reported its
	 * limit; until then packets must fit into a piece. */
	size_t size_max;
	size_t wire_size;       /* size of the pieces of a packet; 0: packets are reports of a fixed size */
	unsigned in_flight_max; /* maximum requests in flight; 1 if the device is known to lose packets */
	int cancel;             /* ends waiting once this descriptor is readable; -1: none. The caller may change it. */
	bool is_lost;           /* the device is gone or refuses transfers: everything else fails, too */
};

/* Opens the wanted device and drops outstanding answers to an earlier program. The caller closes *packets. */
enum status packets_open(const struct usb_kind *kind, const struct usb_address *wanted, int cancel,
                         struct packets **packets, struct error *error);

/* Open an interface of this type. They close attached after a failure, otherwise later with the packets. They set all
 * fields of *packets except cancel. */
enum status bulk_open(struct usb_attached *attached, struct packets **packets, struct error *error);
enum status reports_open(struct usb_attached *attached, struct packets **packets, struct error *error);

/* Receives and drops packets until none comes for a moment. */
void packets_drain(struct packets *packets);

#endif
