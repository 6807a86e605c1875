/* SPDX-License-Identifier: MIT */
/* An attached USB device that the user wants: finding it, claiming its interface. */
#ifndef ACQUIRE_USB_ATTACHED_H
#define ACQUIRE_USB_ATTACHED_H

#include "acquire/usb/interface.h"
#include "base/status.h"

/* The wanted interface. */
struct usb_attached {
	struct libusb_context *context;
	struct usb_interface interface;
	struct libusb_device_handle *handle; /* NULL: not claimed */
};

/* Finds the wanted interface. Do not close attached after a failure. */
enum status usb_attached_find(const struct usb_kind *kind, const struct usb_address *wanted,
                              struct usb_attached *attached, struct error *error);
void usb_attached_close(struct usb_attached *attached);

/* Opens the device and claims the interface. Closes attached after a failure. */
enum status usb_attached_claim(struct usb_attached *attached, struct error *error);
/* Explains why libusb failed to open the device, and what to do. */
enum status usb_attached_refuse(const struct usb_interface *interface, int failure, struct error *error);

#endif
