/* SPDX-License-Identifier: MIT */
/*
 * The interfaces of attached USB devices that serve a purpose, and the one of them that the user means (USB 2.0, 9.6.5
 * and 9.6.6). What they serve, and how such are known, whoever uses them describes. Knows nothing of transfers.
 */
#ifndef TARGET_USB_INTERFACE_H
#define TARGET_USB_INTERFACE_H

#include "base/status.h"
#include "target/usb/address.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libusb.h is for those who make transfers. */
struct libusb_context;
struct libusb_device;
struct libusb_device_handle;

/* Bytes of a packet of an endpoint, at the fastest speed there is (USB 3.2, 9.6.6). */
#define USB_PACKET_MAX 1024

/* What an interface looks like. */
enum usb_interface_type {
	USB_BULK_PAIR,    /* class 0xff, and bulk endpoints both ways: of more, the first ones */
	USB_BULK_ORDERED, /* class 0xff or 0; the first endpoint is bulk, to the device, the second bulk, from it */
	USB_HID,          /* class 3; an interrupt endpoint from the device, perhaps one to it (HID 1.11, 4.4) */
};

/* By what an interface is known, the surest first. */
enum usb_mark {
	USB_NAMED,         /* by its string */
	USB_PRODUCT_NAMED, /* by the device's product string: it is the only interface, or of class HID */
	USB_KNOWN,         /* by the ids of the device, and it is of class HID */
	USB_UNMARKED,      /* not at all: the user has to name the device */
};

/* A device that is known. */
struct usb_known {
	uint16_t vendor, product;
	uint16_t fixed_in_release; /* bcdDevice: before, it loses packets if more than one is on its way; 0 = never */
};

/* What is looked for. */
struct usb_kind {
	struct usb_naming naming;
	const char *name;                     /* its string, or a part of that */
	bool may_be_part;                     /* of a longer one, and the device's product string will do as well */
	const enum usb_interface_type *types; /* from the best */
	size_t type_count;
	const struct usb_known *known; /* ended by 0:0; NULL = none */
	const char *no_such;           /* for messages, where none is marked: "no probe is attached" */
	const char *no_interface;      /* where the device named has none of these shapes */
};

struct usb_interface {
	const struct usb_kind *kind;  /* that was looked for */
	struct libusb_device *device; /* referenced */
	uint16_t vendor, product, release /* bcdDevice */;
	char serial[128];       /* empty = it has none, or it cannot be read */
	char product_name[128]; /* likewise */
	char place[40];         /* "1-2.3:1.0": bus, ports, configuration, interface, as the kernel has them */
	bool is_refused;        /* the user may not open the device */
	enum usb_mark mark;
	enum usb_interface_type shape;
	uint8_t number, alternate;
	uint8_t in, out;    /* addresses of the endpoints; out = 0: there is none */
	size_t packet_size; /* of what comes in, at the most USB_PACKET_MAX */
};

struct usb_interfaces {
	struct usb_interface *items;
	size_t count;
};

/* Of each device that is attached (and is the one wanted, if that names one; the serial number is not looked at) the
 * interface that fits best. To be freed also on failure. */
enum status usb_interfaces_list(struct libusb_context *context, const struct usb_kind *kind,
                                const struct usb_address *wanted, struct usb_interfaces *interfaces,
                                struct error *error);
void usb_interfaces_free(struct usb_interfaces *interfaces);

/* The one of them that is wanted. Where none or several are, the message says what to do. */
enum status usb_interfaces_choose(const struct usb_interfaces *interfaces, const struct usb_kind *kind,
                                  const struct usb_address *wanted, const struct usb_interface **chosen,
                                  struct error *error);

/* Do packets get lost if more than one is on its way to it? */
bool usb_interface_loses_packets(const struct usb_interface *interface);
/* What to type for it. */
void usb_interface_source(const struct usb_interface *interface, char source[USB_SOURCE_SIZE]);
/* How the user is given leave to open it, without a newline. */
void usb_interface_permission(const struct usb_interface *interface, char *text, size_t capacity);

#endif
