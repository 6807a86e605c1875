/* SPDX-License-Identifier: MIT */
/* Devices of a kind that are attached: telling of them, taking one. Knows nothing of what is then sent. */
#ifndef TARGET_USB_ATTACHED_H
#define TARGET_USB_ATTACHED_H

#include "base/status.h"
#include "target/usb/interface.h"

/* The interface that is wanted, with libusb at work. */
struct usb_attached {
	struct libusb_context *context;
	struct usb_interface interface;
};

/* On failure there is nothing to be left. */
enum status usb_attached_find(const struct usb_kind *kind, const struct usb_address *wanted,
                              struct usb_attached *attached, struct error *error);
void usb_attached_close(struct usb_attached *attached);

/* Opens the device and claims the interface: *handle is the caller's, to be released and closed. */
enum status usb_attached_claim(const struct usb_attached *attached, struct libusb_device_handle **handle,
                               struct error *error);
/* For the failure (of libusb) that ended the opening: what to do. */
enum status usb_attached_refuse(const struct usb_interface *interface, int failure, struct error *error);

/* For a list of what is attached. */
struct usb_device_text {
	char source[USB_SOURCE_SIZE]; /* what to type */
	char description[320];
	char problem[384]; /* empty = none */
};
struct usb_device_list {
	struct usb_device_text *items;
	size_t count;
};

/* Those that have a mark. To be freed also on failure. */
enum status usb_device_list_read(const struct usb_kind *kind, struct usb_device_list *list, struct error *error);
void usb_device_list_free(struct usb_device_list *list);

#endif
