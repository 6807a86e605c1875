/* SPDX-License-Identifier: MIT */
/* See usb_devices.h. */
#include "target/channel/usb_devices.h"

#include "target/channel/source.h"
#include "target/usb/attached.h"

enum status usb_devices_parse(const char *text, const struct usb_kind *kind, struct usb_address *wanted,
                              unsigned *timeout, struct error *error)
{
	struct source_option option = {.name = "timeout"};
	char device[256];

	enum status status = source_split(kind->naming.scheme, text, device, sizeof device, &option, 1, error);
	if (status == STATUS_OK)
		status = source_milliseconds(&option, timeout, error);
	return status ? status : usb_address_parse(device, &kind->naming, wanted, error);
}

enum status usb_devices_tell(const struct usb_kind *kind, channel_device_found found, void *context,
                             struct error *error)
{
	struct usb_device_list list;

	enum status status = usb_device_list_read(kind, &list, error);
	for (size_t i = 0; status == STATUS_OK && i < list.count; i++) {
		const struct usb_device_text *device = &list.items[i];
		found(context, &(struct channel_device){.source = device->source,
		                                        .description = device->description,
		                                        .problem = device->problem[0] ? device->problem : NULL});
	}
	usb_device_list_free(&list);
	return status;
}
