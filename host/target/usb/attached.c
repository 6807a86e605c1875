/* SPDX-License-Identifier: MIT */
/* See attached.h. */
#include "target/usb/attached.h"

#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status start(const struct usb_kind *kind, libusb_context **context, struct error *error)
{
	int failure = libusb_init(context);
	if (!failure)
		return STATUS_OK;
	*context = NULL;
	return status_fail(error, "%s: no USB on this machine: %s", kind->naming.scheme, libusb_strerror(failure));
}

enum status usb_attached_find(const struct usb_kind *kind, const struct usb_address *wanted,
                              struct usb_attached *attached, struct error *error)
{
	const struct usb_address any = {.names_device = false};
	struct usb_interfaces interfaces;
	const struct usb_interface *chosen;

	enum status status = start(kind, &attached->context, error);
	if (status != STATUS_OK)
		return status;
	status = usb_interfaces_list(attached->context, kind, wanted, &interfaces, error);
	/* Opens the wanted device only; the others appear in messages. */
	if (!status && interfaces.count == 0 && wanted->names_device) {
		usb_interfaces_free(&interfaces);
		status = usb_interfaces_list(attached->context, kind, &any, &interfaces, error);
	}
	if (status == STATUS_OK)
		status = usb_interfaces_choose(&interfaces, kind, wanted, &chosen, error);
	if (status == STATUS_OK) {
		attached->interface = *chosen;
		libusb_ref_device(chosen->device);
	}
	usb_interfaces_free(&interfaces);
	if (status != STATUS_OK)
		libusb_exit(attached->context);
	return status;
}

void usb_attached_close(struct usb_attached *attached)
{
	libusb_unref_device(attached->interface.device);
	libusb_exit(attached->context);
}

enum status usb_attached_refuse(const struct usb_interface *interface, int failure, struct error *error)
{
	char source[USB_SOURCE_SIZE], advice[384];

	usb_interface_source(interface, source);
	if (failure == LIBUSB_ERROR_ACCESS)
		usb_interface_permission(interface, advice, sizeof advice);
	else
		snprintf(advice, sizeof advice, "cannot open it: %s",
		         failure == LIBUSB_ERROR_BUSY ? "another program uses it" : libusb_strerror(failure));
	return status_fail(error, "%s: %s", source, advice);
}

enum status usb_attached_claim(const struct usb_attached *attached, libusb_device_handle **handle, struct error *error)
{
	const struct usb_interface *interface = &attached->interface;

	int failure = libusb_open(interface->device, handle);
	if (failure)
		return usb_attached_refuse(interface, failure, error);
	failure = libusb_claim_interface(*handle, interface->number);
	if (!failure && interface->alternate != 0)
		failure = libusb_set_interface_alt_setting(*handle, interface->number, interface->alternate);
	if (!failure)
		return STATUS_OK;
	libusb_close(*handle);
	return usb_attached_refuse(interface, failure, error);
}

static void tell_of(const struct usb_interface *interface, struct usb_device_text *text)
{
	usb_interface_source(interface, text->source);
	snprintf(text->description, sizeof text->description, "%s%s%04x:%04x%s%s", interface->product_name,
	         interface->product_name[0] ? ", " : "", interface->vendor, interface->product,
	         interface->serial[0] ? ", serial " : "", interface->serial);
	if (interface->is_refused)
		usb_interface_permission(interface, text->problem, sizeof text->problem);
}

enum status usb_device_list_read(const struct usb_kind *kind, struct usb_device_list *list, struct error *error)
{
	struct usb_address any = {0};
	struct usb_interfaces interfaces;
	libusb_context *context;

	*list = (struct usb_device_list){0};
	enum status status = start(kind, &context, error);
	if (status != STATUS_OK)
		return status;
	status = usb_interfaces_list(context, kind, &any, &interfaces, error);
	list->items = calloc(interfaces.count + 1, sizeof *list->items);
	if (status == STATUS_OK && list->items == NULL)
		status = status_fail(error, "%s: out of memory", kind->naming.scheme);
	for (size_t i = 0; status == STATUS_OK && i < interfaces.count; i++)
		if (interfaces.items[i].mark != USB_UNMARKED)
			tell_of(&interfaces.items[i], &list->items[list->count++]);
	usb_interfaces_free(&interfaces);
	libusb_exit(context);
	return status;
}

void usb_device_list_free(struct usb_device_list *list)
{
	free(list->items);
}
