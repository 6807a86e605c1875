/* SPDX-License-Identifier: MIT */
/* USB devices of a kind: as what is attached, and as what a SOURCE names. Knows nothing of what they are for. */
#ifndef TARGET_CHANNEL_USB_DEVICES_H
#define TARGET_CHANNEL_USB_DEVICES_H

#include "target/channel/channel.h"
#include "target/usb/interface.h"

/* Tells of each that has a mark, as usb_device_list_read() finds them: for a list of channel_ops or target_ops. */
enum status usb_devices_list(const struct usb_kind *kind, channel_device_found found, void *context,
                             struct error *error);

#endif
