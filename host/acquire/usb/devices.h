/* SPDX-License-Identifier: MIT */
/* USB devices of a kind as rows of `bareprof devices`. */
#ifndef ACQUIRE_USB_DEVICES_H
#define ACQUIRE_USB_DEVICES_H

#include "acquire/device.h"
#include "acquire/usb/interface.h"

/* Calls found() for each recognised device: for list() of channel_ops or target_ops. */
enum status usb_devices_list(const struct usb_kind *kind, device_found found, void *context, struct error *error);

#endif
