/* SPDX-License-Identifier: MIT */
/* Opening what packets go over, by the shape of the interface, of which this file has the table. See packets.h. */
#include "usb/packets.h"
#include "usb/attached.h"
#include "usb/shapes.h"
#include "wait/clock.h"

/* Milliseconds without a packet after which none is left, and packets after which the device will never be done. */
#define SILENCE   20
#define DRAIN_MAX 256

static enum status (*const openings[])(const struct usb_attached *attached, const struct usb_kind *kind, int cancel,
                                       struct packets **packets, struct error *error) = {
        [USB_BULK_ORDERED] = bulk_open,
#ifdef HAVE_HIDAPI_LIBUSB
        [USB_HID] = reports_open,
#else
        [USB_HID] = NULL,
#endif
};

/* Of what this build has no library for. */
static enum status lacking(struct usb_attached *attached, const struct usb_kind *kind, struct error *error)
{
	char source[USB_SOURCE_SIZE];

	usb_interface_source(&attached->interface, kind, source);
	usb_attached_leave(attached);
	return status_fail(
	        error, "%s: it speaks by HID reports alone, and this bareprof was built without hidapi-libusb", source);
}

enum status packets_open(const struct usb_kind *kind, const struct usb_address *wanted, int cancel,
                         struct packets **packets, bool *loses_packets, struct error *error)
{
	struct usb_attached attached;

	enum status status = usb_attached_find(kind, wanted, &attached, error);
	if (status)
		return status;
	const struct usb_interface *interface = &attached.interface;
	const struct usb_known *known = usb_interface_known(interface, kind);
	*loses_packets = known && interface->release < known->sound_since;
	if (!openings[interface->shape])
		return lacking(&attached, kind, error);
	status = openings[interface->shape](&attached, kind, cancel, packets, error);
	if (!status)
		packets_drain(*packets);
	return status;
}

void packets_drain(struct packets *packets)
{
	uint8_t bytes[PACKETS_SIZE_MAX];
	struct error ignored;
	size_t size = 1;

	for (unsigned i = 0; i < DRAIN_MAX && size > 0; i++)
		packets->ops->receive(packets, bytes, sizeof bytes, clock_now() + SILENCE, &size, &ignored);
}
