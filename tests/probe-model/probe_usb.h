/* SPDX-License-Identifier: MIT */
/* Descriptors of a debug probe with CMSIS-DAP (USB 2.0, 9.5 to 9.7). */
#ifndef PROBE_MODEL_PROBE_USB_H
#define PROBE_MODEL_PROBE_USB_H

#include "../usb/device.h"

/* Descriptors state the truth. */
#define PROBE_USB_TRUE UINT64_MAX

struct probe_usb {
	bool is_hid;     /* version 1 of CMSIS-DAP, else 2 */
	uint64_t packet; /* size of the probe's packets in bytes */
	uint64_t vendor, product, release;
	/* Stated by descriptors: the size of the endpoints' packets, the address of the endpoint to the host, and the
	 * length of strings. */
	uint64_t stated_packet, stated_in, stated_text;
	uint8_t descriptors[128];
};

/* Writes the descriptors and sets what device.c needs of them. */
void probe_usb_write(struct probe_usb *usb, struct device *device);
/* Returns the report descriptor of a HID, as device_ops.control() does. */
int probe_usb_describe_reports(const struct probe_usb *usb, uint8_t *data, size_t capacity);

#endif
