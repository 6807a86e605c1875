/* SPDX-License-Identifier: MIT */
/* USB devices of a kind as rows of `bareprof devices`. */
#ifndef TARGET_USB_DEVICES_H
#define TARGET_USB_DEVICES_H

#include "target/device.h"
#include "target/usb/interface.h"

/* Calls found() for each recognised device: for list() of channel_ops or target_ops. */
enum status usb_devices_list(const struct usb_kind *kind, device_found found, void *context, struct error *error);

#endif
