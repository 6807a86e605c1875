/* SPDX-License-Identifier: MIT */
/* How debug probes that speak CMSIS-DAP are known among USB devices. Knows nothing of what they say. */
#ifndef TARGET_BACKEND_CMSIS_DAP_USB_H
#define TARGET_BACKEND_CMSIS_DAP_USB_H

#include "target/channel/channel.h"
#include "target/usb/packets.h"

extern const struct usb_kind cmsis_dap_usb;

/* For target_ops. */
enum status cmsis_dap_list(channel_device_found found, void *context, struct error *error);

#endif
