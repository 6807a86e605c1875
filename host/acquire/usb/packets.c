/* SPDX-License-Identifier: MIT */
/* See packets.h. */
#include "acquire/usb/packets.h"
#include "acquire/usb/attached.h"
#include "base/clock.h"

/* Milliseconds without a packet that end draining, and the largest number of packets dropped. */
#define SILENCE   20
#define DRAIN_MAX 256

static enum status (*const openings[])(struct usb_attached *attached, struct packets **packets, struct error *error) = {
        [USB_BULK_ORDERED] = bulk_open,
#ifdef HAVE_HIDAPI_LIBUSB
        [USB_HID] = reports_open,
#else
        [USB_HID] = NULL,
#endif
};

enum status packets_open(const struct usb_kind *kind, const struct usb_address *wanted, int cancel,
                         struct packets **packets, struct error *error)
{
	struct usb_attached attached;
	char source[USB_SOURCE_SIZE];

	enum status status = usb_attached_find(kind, wanted, &attached, error);
	if (status != STATUS_OK)
		return status;
	enum usb_interface_type type = attached.interface.type;
	bool loses_packets = usb_interface_loses_packets(&attached.interface);
	if (openings[type] == NULL) {
		usb_interface_source(&attached.interface, source);
		usb_attached_close(&attached);
		return status_fail(error,
		                   "%s: it speaks by HID reports alone, and this bareprof was built without "
		                   "hidapi-libusb",
		                   source);
	}
	status = openings[type](&attached, packets, error);
	if (status != STATUS_OK)
		return status;
	if (loses_packets)
		(*packets)->in_flight_max = 1;
	(*packets)->cancel = cancel;
	packets_drain(*packets);
	return STATUS_OK;
}

void packets_drain(struct packets *packets)
{
	uint8_t bytes[PACKETS_SIZE_MAX];
	struct error ignored;
	size_t size = 1;

	for (unsigned i = 0; i < DRAIN_MAX && size > 0; i++)
		packets->ops->receive(packets, bytes, sizeof bytes, clock_now() + SILENCE, &size, &ignored);
}
