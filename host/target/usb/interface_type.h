/* SPDX-License-Identifier: MIT */
/* The types of interface that carry packets: one file each, one line each in packets.c. */
#ifndef TARGET_USB_INTERFACE_TYPE_H
#define TARGET_USB_INTERFACE_TYPE_H

#include "target/usb/attached.h"
#include "target/usb/packets.h"

/* Take over attached, also on failure. All fields of *packets are set but cancel. */
enum status bulk_open(struct usb_attached *attached, struct packets **packets, struct error *error);
enum status reports_open(struct usb_attached *attached, struct packets **packets, struct error *error);

#endif
