/* SPDX-License-Identifier: MIT */
/* See probe_usb.h. Sections are those of USB 2.0. */
#include "probe_usb.h"

#include <errno.h>
#include <string.h>

#define WORD(value) (uint8_t)((value)&0xFF), (uint8_t)((value) >> 8)

/* Some probes number their endpoints like this, so that a host must read the descriptors. */
enum { BULK_OUT = 0x04, BULK_IN = 0x85, REPORTS_OUT = 0x01, REPORTS_IN = 0x81 };
enum { STRING_LANGUAGES, STRING_MAKER, STRING_PRODUCT, STRING_SERIAL, STRING_INTERFACE };
enum { TYPE_DEVICE = 1, TYPE_CONFIGURATION, TYPE_STRING, TYPE_REPORT = 0x22 };

/* Bytes of which a packet on the wire has at most (USB 2.0, 5.7.3, 5.8.3). */
static unsigned wire_packet(const struct probe_usb *usb)
{
	return !usb->is_hid && usb->packet > 512 ? 512 : usb->packet;
}

static unsigned said(unsigned number, unsigned truth)
{
	return number == PROBE_USB_TRUE ? truth : number;
}

/* HID 1.11, 6.2.2: reports of so many bytes each way, of a vendor's page. */
#define REPORT_DESCRIPTOR(size)                                                                                   \
	0x06, 0x00, 0xFF, 0x09, 1, 0xA1, 1, 0x15, 0, 0x26, 0xFF, 0, 0x75, 8, /* page, usage, collection, bytes */ \
	        0x96, WORD(size), 0x09, 1, 0x81, 2,                          /* input */                          \
	        0x96, WORD(size), 0x09, 1, 0x91, 2, 0xC0                     /* output, end */
#define REPORT_DESCRIPTOR_SIZE 29

/* 9.6.1, 9.6.3, 9.6.5, 9.6.6; the HID's own descriptor: HID 1.11, 6.2.1. */
#define DEVICE(vendor, product, release)                                                                     \
	18, TYPE_DEVICE, WORD(0x200), 0, 0, 0, 64, WORD(vendor), WORD(product), WORD(release), STRING_MAKER, \
	        STRING_PRODUCT, STRING_SERIAL, 1
#define CONFIGURATION(size)                       9, TYPE_CONFIGURATION, WORD(size), 1, 1, 0, 0x80, 50
#define INTERFACE(class)                          9, 4, 0, 0, 2, class, 0, 0, STRING_INTERFACE
#define HID                                       9, 0x21, WORD(0x111), 0, 1, TYPE_REPORT, WORD(REPORT_DESCRIPTOR_SIZE)
#define ENDPOINT(address, type, packet, interval) 7, 5, address, type, WORD(packet), interval

void probe_usb_write(struct probe_usb *usb, struct device *device)
{
	const unsigned packet = said(usb->said_packet, wire_packet(usb));
	const uint8_t in = (uint8_t)said(usb->said_in, usb->is_hid ? REPORTS_IN : BULK_IN);
	const uint8_t own[] = {DEVICE(device->vendor, device->product, usb->release)};
	const uint8_t bulk[] = {CONFIGURATION(9 + 9 + 7 + 7), INTERFACE(0xFF), ENDPOINT(BULK_OUT, 2, packet, 0),
	                        ENDPOINT(in, 2, packet, 0)};
	const uint8_t hid[] = {CONFIGURATION(9 + 9 + 9 + 7 + 7), INTERFACE(3), HID, ENDPOINT(in, 3, packet, 1),
	                       ENDPOINT(REPORTS_OUT, 3, packet, 1)};
	const uint8_t *configuration = usb->is_hid ? hid : bulk;
	size_t size = usb->is_hid ? sizeof hid : sizeof bulk;

	memcpy(usb->descriptors, own, sizeof own);
	memcpy(usb->descriptors + sizeof own, configuration, size);
	device->packet = wire_packet(usb);
	device->descriptors = usb->descriptors;
	device->descriptors_size = sizeof own + size;
}

int probe_usb_copy(const uint8_t *bytes, size_t size, uint8_t *data, size_t capacity)
{
	memcpy(data, bytes, size < capacity ? size : capacity);
	return (int)(size < capacity ? size : capacity);
}

/* 9.6.7: UTF-16. */
static int describe_string(const struct probe_usb *usb, const char *text, uint8_t *data, size_t capacity)
{
	const size_t size = 2 + 2 * strlen(text);
	uint8_t bytes[126] = {(uint8_t)said(usb->said_text, (unsigned)size), TYPE_STRING};

	for (size_t i = 2; i < size && i < sizeof bytes; i += 2)
		bytes[i] = (uint8_t)*text++;
	return probe_usb_copy(bytes, size, data, capacity);
}

int probe_usb_describe(const struct probe_usb *usb, const struct device *device, uint8_t type, uint8_t index,
                       uint8_t *data, size_t capacity)
{
	static const uint8_t languages[] = {4, TYPE_STRING, WORD(0x409)};
	const uint8_t report[] = {REPORT_DESCRIPTOR(usb->packet)};
	const char *const strings[] = {NULL, "Example", device->product_name, device->serial, device->interface_name};

	_Static_assert(sizeof report == REPORT_DESCRIPTOR_SIZE, "the length of the report descriptor is wrong");
	if (type == TYPE_DEVICE)
		return probe_usb_copy(device->descriptors, 18, data, capacity);
	if (type == TYPE_CONFIGURATION)
		return probe_usb_copy(device->descriptors + 18, device->descriptors_size - 18, data, capacity);
	if (type == TYPE_REPORT && usb->is_hid)
		return probe_usb_copy(report, sizeof report, data, capacity);
	if (type == TYPE_STRING && index == STRING_LANGUAGES)
		return probe_usb_copy(languages, sizeof languages, data, capacity);
	if (type == TYPE_STRING && index < sizeof strings / sizeof strings[0])
		return describe_string(usb, strings[index], data, capacity);
	return -EPIPE;
}
