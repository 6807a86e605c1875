/* SPDX-License-Identifier: MIT */
/* The USB device that a SOURCE names: `VID:PID[:SERIAL]`, for some schemes `SERIAL`, or nothing. */
#ifndef ACQUIRE_USB_ADDRESS_H
#define ACQUIRE_USB_ADDRESS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* How devices of a kind are named in a SOURCE. */
struct usb_naming {
	const char *scheme; /* "usb" */
	bool by_serial;     /* a serial number alone is enough */
};

struct usb_address {
	bool names_device; /* names a device by its ids; false: any recognised device */
	uint16_t vendor, product;
	char serial[128]; /* empty = any */
};

enum status usb_address_parse(const char *text, const struct usb_naming *naming, struct usb_address *address,
                              struct error *error);

/* For messages: the SOURCE as the user would type it, "usb:cafe:4010:77" or "cmsis-dap:77". */
#define USB_SOURCE_SIZE (sizeof "cmsis-dap:cafe:4010:" + 128)
void usb_address_format(const struct usb_naming *naming, uint16_t vendor, uint16_t product, const char *serial,
                        char source[USB_SOURCE_SIZE]);

#endif
