/* SPDX-License-Identifier: MIT */
/* Commands to a USB device over a pair of bulk endpoints, one at a time. Data to or from the device may follow. Both
 * ends know their size, so nothing marks their end. */
#ifndef ACQUIRE_USB_EXCHANGE_H
#define ACQUIRE_USB_EXCHANGE_H

#include "acquire/usb/interface.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest command, and the longest data either way, in bytes. */
#define EXCHANGE_SIZE_MAX 8192

/* Draining ends after this many milliseconds without data. */
#define EXCHANGE_SILENCE 20u

struct exchange;

struct exchange_phases {
	const uint8_t *command;
	size_t command_size;
	const uint8_t *out; /* data to the device; out_size = 0: none */
	size_t out_size;
	uint8_t *in; /* room for data from the device; in_size = 0: none */
	size_t in_size;
};

struct exchange_ops {
	/* Fails if the device does not accept everything, or sends nothing, before the deadline. *received: the size of
	 * the data from the device, which may be too short; data that exceed the room remain for a later exchange. */
	enum status (*run)(struct exchange *exchange, const struct exchange_phases *phases, uint64_t deadline,
	                   size_t *received, struct error *error);
	/* Drops incoming data until none arrive for a moment; the first data may take this many milliseconds. */
	void (*drain)(struct exchange *exchange, unsigned milliseconds);
	void (*close)(struct exchange *exchange);
};

/* The state of every implementation begins with this. */
struct exchange {
	const struct exchange_ops *ops;
	char source[256];    /* for messages */
	char serial[128];    /* serial number of the device; empty = unknown */
	int cancel;          /* ends waiting once this descriptor is readable; -1: none. The caller may change it. */
	bool is_interrupted; /* the last exchange was cancelled and not drained, so its data may still arrive */
	bool is_lost;        /* the device is gone or refuses transfers: everything else fails, too */
};

/* Opens the wanted device. The caller closes *exchange. */
enum status exchange_open(const struct usb_kind *kind, const struct usb_address *wanted, int cancel,
                          struct exchange **exchange, struct error *error);

#endif
