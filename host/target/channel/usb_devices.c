/* SPDX-License-Identifier: MIT */
/* See usb_devices.h. */
#include "target/channel/usb_devices.h"

#include "target/usb/attached.h"

enum status usb_devices_list(const struct usb_kind *kind, channel_device_found found, void *context,
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
