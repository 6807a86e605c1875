/* SPDX-License-Identifier: MIT */
/* Attached USB devices of a kind: listing them, claiming one. */
#ifndef TARGET_USB_ATTACHED_H
#define TARGET_USB_ATTACHED_H

#include "base/status.h"
#include "target/usb/interface.h"

/* The wanted interface, and its libusb context. */
struct usb_attached {
	struct libusb_context *context;
	struct usb_interface interface;
};

/* Finds the wanted interface; needs no closing after a failure. */
enum status usb_attached_find(const struct usb_kind *kind, const struct usb_address *wanted,
                              struct usb_attached *attached, struct error *error);
void usb_attached_close(struct usb_attached *attached);

/* Opens the device and claims the interface; the caller releases and closes *handle. */
enum status usb_attached_claim(const struct usb_attached *attached, struct libusb_device_handle **handle,
                               struct error *error);
/* Explains a failure of libusb to open it, and what to do. */
enum status usb_attached_refuse(const struct usb_interface *interface, int failure, struct error *error);

/* A row of a list. */
struct usb_device_text {
	char source[USB_SOURCE_SIZE]; /* what to type */
	char description[320];
	char problem[384]; /* empty = none */
};
struct usb_device_list {
	struct usb_device_text *items;
	size_t count;
};

/* Lists recognised devices. Must be freed also on failure. */
enum status usb_device_list_read(const struct usb_kind *kind, struct usb_device_list *list, struct error *error);
void usb_device_list_free(struct usb_device_list *list);

#endif
