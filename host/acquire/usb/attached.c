/* SPDX-License-Identifier: MIT */
/* See attached.h. */
#include "acquire/usb/attached.h"

#include "base/file/user.h"

#include <libusb.h>
#include <stdio.h>

enum status usb_attached_find(const struct usb_kind *kind, const struct usb_address *wanted,
                              struct usb_attached *attached, struct error *error)
{
	const struct usb_address any = {.names_device = false};
	struct usb_interfaces interfaces;
	const struct usb_interface *chosen;

	enum status status = usb_interfaces_list(kind, wanted, &interfaces, error);
	/* The list has only the wanted device; messages need the others, too. */
	if (status == STATUS_OK && interfaces.count == 0 && wanted->names_device) {
		usb_interfaces_free(&interfaces);
		status = usb_interfaces_list(kind, &any, &interfaces, error);
	}
	if (status == STATUS_OK)
		status = usb_interfaces_choose(&interfaces, kind, wanted, &chosen, error);
	if (status == STATUS_OK) {
		*attached = (struct usb_attached){.context = interfaces.context, .interface = *chosen};
		libusb_ref_device(chosen->device);
		interfaces.context = NULL;
	}
	usb_interfaces_free(&interfaces);
	return status;
}

void usb_attached_close(struct usb_attached *attached)
{
	if (attached->handle != NULL) {
		libusb_release_interface(attached->handle, attached->interface.number);
		libusb_close(attached->handle);
	}
	libusb_unref_device(attached->interface.device);
	libusb_exit(attached->context);
}

/* Finds the program that uses the device, by its file in usbfs. */
static void name_user(const struct usb_interface *interface, char *user, size_t capacity)
{
	char path[64];

	snprintf(path, sizeof path, "/dev/bus/usb/%03u/%03u", libusb_get_bus_number(interface->device),
	         libusb_get_device_address(interface->device));
	if (!file_find_user(path, user, capacity))
		snprintf(user, capacity, "another program");
}

enum status usb_attached_refuse(const struct usb_interface *interface, int failure, struct error *error)
{
	char source[USB_SOURCE_SIZE], text[384];

	usb_interface_source(interface, source);
	if (failure == LIBUSB_ERROR_BUSY) {
		name_user(interface, text, sizeof text);
		return status_fail(error, "%s: cannot open it: %s uses it", source, text);
	}
	if (failure != LIBUSB_ERROR_ACCESS)
		return status_fail(error, "%s: cannot open it: %s", source, libusb_strerror(failure));
	usb_interface_permission(interface, text, sizeof text);
	return status_fail(error, "%s: %s", source, text);
}

enum status usb_attached_claim(struct usb_attached *attached, struct error *error)
{
	const struct usb_interface *interface = &attached->interface;

	int failure = libusb_open(interface->device, &attached->handle);
	if (failure)
		attached->handle = NULL;
	else
		failure = libusb_claim_interface(attached->handle, interface->number);
	if (!failure && interface->alternate != 0)
		failure = libusb_set_interface_alt_setting(attached->handle, interface->number, interface->alternate);
	if (!failure)
		return STATUS_OK;
	enum status status = usb_attached_refuse(interface, failure, error);
	usb_attached_close(attached);
	return status;
}
