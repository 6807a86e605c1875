/* SPDX-License-Identifier: MIT */
/* The shapes of interface that packets go over: one file each, one line each in packets.c's table. */
#ifndef TARGET_USB_INTERFACE_TYPE_H
#define TARGET_USB_INTERFACE_TYPE_H

#include "target/usb/attached.h"
#include "target/usb/packets.h"

/* Take attached over, also on failure. *packets has all fields set but what cancels. */
enum status bulk_open(struct usb_attached *attached, struct packets **packets, struct error *error);
enum status reports_open(struct usb_attached *attached, struct packets **packets, struct error *error);

#endif
