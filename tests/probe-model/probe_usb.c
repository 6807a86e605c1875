/* SPDX-License-Identifier: MIT */
/* See probe_usb.h. Sections are those of USB 2.0. */
#include "probe_usb.h"

#include <string.h>

#define WORD(value) DEVICE_WORD(value)

/* Numbers that some real probes use: a host must read the descriptors to find them. */
enum { BULK_OUT = 0x04, BULK_IN = 0x85, REPORTS_OUT = 0x01, REPORTS_IN = 0x81 };

/* The largest packet on the wire (5.7.3, 5.8.3). */
static uint64_t wire_packet(const struct probe_usb *usb)
{
	return !usb->is_hid && usb->packet > 512 ? 512 : usb->packet;
}

static uint64_t stated(uint64_t number, uint64_t truth)
{
	return number == PROBE_USB_TRUE ? truth : number;
}

/* HID 1.11, 6.2.2: reports of this size in each direction, on a vendor's page. */
#define REPORT_DESCRIPTOR(size)                                                                                   \
	0x06, 0x00, 0xFF, 0x09, 1, 0xA1, 1, 0x15, 0, 0x26, 0xFF, 0, 0x75, 8, /* page, usage, collection, bytes */ \
	        0x96, WORD(size), 0x09, 1, 0x81, 2,                          /* input */                          \
	        0x96, WORD(size), 0x09, 1, 0x91, 2, 0xC0                     /* output, end */
#define REPORT_DESCRIPTOR_SIZE 29

/* 9.6.3, 9.6.5, 9.6.6; the HID descriptor: HID 1.11, 6.2.1. */
#define CONFIGURATION(size)                       9, 2, WORD(size), 1, 1, 0, 0x80, 50
#define INTERFACE(class)                          9, 4, 0, 0, 2, class, 0, 0, STRING_INTERFACE
#define HID                                       9, 0x21, WORD(0x111), 0, 1, 0x22, WORD(REPORT_DESCRIPTOR_SIZE)
#define ENDPOINT(address, type, packet, interval) 7, 5, address, type, WORD(packet), interval

void probe_usb_write(struct probe_usb *usb, struct device *device)
{
	const uint64_t packet = stated(usb->stated_packet, wire_packet(usb));
	const uint8_t in = (uint8_t)stated(usb->stated_in, usb->is_hid ? REPORTS_IN : BULK_IN);
	const uint8_t bulk[] = {CONFIGURATION(9 + 9 + 7 + 7), INTERFACE(0xFF), ENDPOINT(BULK_OUT, 2, packet, 0),
	                        ENDPOINT(in, 2, packet, 0)};
	const uint8_t hid[] = {CONFIGURATION(9 + 9 + 9 + 7 + 7), INTERFACE(3), HID, ENDPOINT(in, 3, packet, 1),
	                       ENDPOINT(REPORTS_OUT, 3, packet, 1)};
	const uint8_t *configuration = usb->is_hid ? hid : bulk;
	size_t size = usb->is_hid ? sizeof hid : sizeof bulk;

	device_describe(device, usb->descriptors, usb->vendor, usb->product, usb->release, configuration, size);
	device->packet = (unsigned)wire_packet(usb);
	device->false_string_length = (uint8_t)stated(usb->stated_text, 0);
}

int probe_usb_describe_reports(const struct probe_usb *usb, uint8_t *data, size_t capacity)
{
	const uint8_t report[] = {REPORT_DESCRIPTOR(usb->packet)};

	_Static_assert(sizeof report == REPORT_DESCRIPTOR_SIZE, "the length of the report descriptor is wrong");
	return device_copy(report, sizeof report, data, capacity);
}
