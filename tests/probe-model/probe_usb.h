/* SPDX-License-Identifier: MIT */
/* What a debug probe tells of itself by USB: its descriptors (USB 2.0, 9.5 to 9.7). Knows nothing of what it does. */
#ifndef PROBE_MODEL_PROBE_USB_H
#define PROBE_MODEL_PROBE_USB_H

#include "../usb/device.h"

/* Of what descriptors say: as it is. */
#define PROBE_USB_TRUE UINT32_MAX

struct probe_usb {
	bool is_hid;     /* version 1 of CMSIS-DAP, else 2 */
	unsigned packet; /* bytes of the probe's packets */
	uint16_t release;
	/* What the descriptors say of the endpoints' packets, of the endpoint to the host and of the length of strings.
	 */
	unsigned said_packet, said_in, said_text;
	uint8_t descriptors[128];
};

/* Writes the descriptors of a device that has its ids, and gives them to it, with the size of its endpoints' packets.
 */
void probe_usb_write(struct probe_usb *usb, struct device *device);
/* Answers GET_DESCRIPTOR, as device_ops.control() does. */
int probe_usb_describe(const struct probe_usb *usb, const struct device *device, uint8_t type, uint8_t index,
                       uint8_t *data, size_t capacity);
/* Puts as many of the bytes to data as there is room for, and returns how many. */
int probe_usb_copy(const uint8_t *bytes, size_t size, uint8_t *data, size_t capacity);

#endif
