/* SPDX-License-Identifier: MIT */
/* See devices.h. */
#include "acquire/usb/devices.h"

#include <stdio.h>

static void report_interface(const struct usb_interface *interface, device_found found, void *context)
{
	char source[USB_SOURCE_SIZE], description[320], problem[384];

	usb_interface_source(interface, source);
	snprintf(description, sizeof description, "%s%s%04x:%04x%s%s", interface->product_name,
	         interface->product_name[0] ? ", " : "", interface->vendor, interface->product,
	         interface->serial[0] ? ", serial " : "", interface->serial);
	if (interface->is_refused)
		usb_interface_permission(interface, problem, sizeof problem);
	found(context, &(struct attached_device){.source = source,
	                                         .description = description,
	                                         .problem = interface->is_refused ? problem : NULL});
}

enum status usb_devices_list(const struct usb_kind *kind, device_found found, void *context, struct error *error)
{
	const struct usb_address any = {.names_device = false};
	struct usb_interfaces interfaces;

	enum status status = usb_interfaces_list(kind, &any, &interfaces, error);
	for (size_t i = 0; status == STATUS_OK && i < interfaces.count; i++)
		if (interfaces.items[i].mark != USB_UNMARKED)
			report_interface(&interfaces.items[i], found, context);
	usb_interfaces_free(&interfaces);
	return status;
}
