/* SPDX-License-Identifier: MIT */
/* Finding USB interfaces that serve a purpose described by the caller, and choosing the one that the user means (USB
 * 2.0, 9.6.5 and 9.6.6). */
#ifndef ACQUIRE_USB_INTERFACE_H
#define ACQUIRE_USB_INTERFACE_H

#include "acquire/usb/address.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Avoids libusb.h. */
struct libusb_context;
struct libusb_device;
struct libusb_device_handle;

/* The largest packet of an endpoint at any speed (USB 3.2, 9.6.6). */
#define USB_PACKET_MAX 1024

/* The layout of an interface. */
enum usb_interface_type {
	USB_BULK_PAIR,    /* class 0xff with bulk endpoints both ways; the first of each is used */
	USB_BULK_ORDERED, /* class 0xff or 0; the first endpoint is bulk out, the second bulk in */
	USB_HID,          /* class 3; an interrupt endpoint in, perhaps one out (HID 1.11, 4.4) */
	USB_STORAGE,      /* class 8 with bulk endpoints both ways, of a known device only */
};

/* How an interface was recognised, the most reliable first. */
enum usb_mark {
	USB_NAMED,         /* by its string */
	USB_PRODUCT_NAMED, /* by the device's product string; the only interface or a HID */
	USB_KNOWN,         /* by the ids of the device; a HID, unless the kind owns its ids */
	USB_UNMARKED,      /* not recognised: the user has to name the device */
};

struct usb_known {
	uint16_t vendor, product;
	uint16_t fixed_in_release; /* bcdDevice; earlier releases lose packets if more than one is in flight; 0: none
	                              does */
	const char *refusal;       /* why it cannot be used, and what to do; NULL: it can */
};

struct usb_kind {
	struct usb_naming naming;
	const char *name;                     /* interface string, or part of it */
	bool may_be_part;                     /* name may be part of the interface string, or of the product string */
	bool owns_ids;                        /* known devices are of this kind, with any interface name */
	bool pads_serials;                    /* serial numbers begin with zeros, which the user may omit */
	bool has_raw_serials;                 /* serial numbers of 12 characters are bytes, shown in hexadecimal */
	const enum usb_interface_type *types; /* the best first */
	size_t type_count;
	const struct usb_known *known; /* ended by 0:0; NULL: none */
	const char *no_such;           /* message if none is attached */
	const char *no_interface;      /* message if the named device has none of the types */
	const char *no_serial;         /* appended if no device has the serial number; NULL: nothing */
};

struct usb_interface {
	const struct usb_kind *kind;  /* the kind it was matched against */
	struct libusb_device *device; /* referenced */
	uint16_t vendor, product, release /* bcdDevice */;
	char serial[128];       /* empty = none, or unreadable */
	char product_name[128]; /* empty = none, or unreadable */
	char place[40];         /* "1-2.3:1.0": bus, ports, configuration, interface, as in the kernel */
	bool is_refused;        /* the user may not open the device */
	enum usb_mark mark;
	enum usb_interface_type type;
	uint8_t number, alternate;
	uint8_t in, out;    /* endpoint addresses; out = 0: none */
	size_t packet_size; /* size of inbound packets, at most USB_PACKET_MAX */
};

struct usb_interfaces {
	struct libusb_context *context;
	struct usb_interface *items;
	size_t count;
};

/* The best interface of each attached device, or of the wanted one (ignoring its serial number). Must be freed also on
 * failure. */
enum status usb_interfaces_list(const struct usb_kind *kind, const struct usb_address *wanted,
                                struct usb_interfaces *interfaces, struct error *error);
void usb_interfaces_free(struct usb_interfaces *interfaces);

/* Chooses the wanted interface. If there is none or several, the message says what to do. */
enum status usb_interfaces_choose(const struct usb_interfaces *interfaces, const struct usb_kind *kind,
                                  const struct usb_address *wanted, const struct usb_interface **chosen,
                                  struct error *error);

/* Whether the device loses packets if more than one is in flight. */
bool usb_interface_loses_packets(const struct usb_interface *interface);
/* Why the device cannot be used; NULL: it can. */
const char *usb_interface_refusal(const struct usb_interface *interface);
/* The SOURCE of the interface. */
void usb_interface_source(const struct usb_interface *interface, char source[USB_SOURCE_SIZE]);
/* How to get permission to open the device, without a newline. */
void usb_interface_permission(const struct usb_interface *interface, char *text, size_t capacity);

#endif
