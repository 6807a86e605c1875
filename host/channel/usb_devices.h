/* SPDX-License-Identifier: MIT */
/* USB devices of a kind, told of as what is attached. Knows nothing of what they are for. */
#ifndef CHANNEL_USB_DEVICES_H
#define CHANNEL_USB_DEVICES_H

#include "channel/channel.h"
#include "usb/interface.h"

/* Tells of each that has a mark, as usb_device_list_read() finds them: for a list of channel_ops or access_ops. */
enum status usb_devices_tell(const struct usb_kind *kind, channel_device_found found, void *context,
                             struct error *error);

#endif
