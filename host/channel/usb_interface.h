/* SPDX-License-Identifier: MIT */
/*
 * The interfaces of attached USB devices that a target may be reached by: class 0xff with bulk endpoints both ways
 * (USB 2.0, 9.6.5 and 9.6.6). Knows nothing of transfers.
 */
#ifndef CHANNEL_USB_INTERFACE_H
#define CHANNEL_USB_INTERFACE_H

#include "channel/usb_address.h"
#include "status/status.h"

#include <libusb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the string of an interface is by which bareprof's is known, whatever the device. */
#define USB_INTERFACE_NAME "bareprof"

/* Bytes of a packet of a bulk endpoint, at the fastest speed there is (USB 3.2, 9.6.6). */
#define USB_PACKET_MAX 1024

struct usb_interface {
	libusb_device *device; /* referenced */
	uint16_t vendor, product;
	char serial[128];       /* empty = it has none, or it cannot be read */
	char product_name[128]; /* likewise */
	bool is_refused;        /* the user may not open the device */
	bool is_named;          /* the interface's string is USB_INTERFACE_NAME */
	uint8_t number, alternate;
	uint8_t in, out;    /* addresses of the endpoints */
	size_t packet_size; /* of what comes in, at the most USB_PACKET_MAX */
};

struct usb_interfaces {
	struct usb_interface *items;
	size_t count;
};

/* Of each device that is attached (and is the one wanted, if that names one; the serial number is not looked at) the
 * interface that fits best. To be freed also on failure. */
enum status usb_interfaces_list(libusb_context *context, const struct usb_address *wanted,
                                struct usb_interfaces *interfaces, struct error *error);
void usb_interfaces_free(struct usb_interfaces *interfaces);

/* The one of them that is wanted. Where none or several are, the message says what to do. */
enum status usb_interfaces_choose(const struct usb_interfaces *interfaces, const struct usb_address *wanted,
                                  const struct usb_interface **chosen, struct error *error);

/* What to type for it. */
void usb_interface_source(const struct usb_interface *interface, char source[USB_SOURCE_SIZE]);
/* How the user is given leave to open it, without a newline. */
void usb_interface_permission(const struct usb_interface *interface, char *text, size_t capacity);

#endif
