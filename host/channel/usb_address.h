/* SPDX-License-Identifier: MIT */
/* Which USB device a SOURCE means: what follows `usb:`, `[VID:PID[:SERIAL]][,timeout=SECONDS]`. Knows nothing of what
 * is attached. */
#ifndef CHANNEL_USB_ADDRESS_H
#define CHANNEL_USB_ADDRESS_H

#include "status/status.h"

#include <stdbool.h>
#include <stdint.h>

struct usb_address {
	bool names_device; /* else any whose interface says that it is for bareprof */
	uint16_t vendor, product;
	char serial[128]; /* empty = any */
	unsigned timeout; /* milliseconds */
};

enum status usb_address_parse(const char *text, struct usb_address *address, struct error *error);

/* As the user would type it, for messages: "usb:cafe:4010:77". */
#define USB_SOURCE_SIZE (sizeof "usb:cafe:4010:" + 128)
void usb_source_format(uint16_t vendor, uint16_t product, const char *serial, char source[USB_SOURCE_SIZE]);

#endif
