/* SPDX-License-Identifier: MIT */
/* See usb_interface.h. */
#include "channel/usb_interface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the endpoints of a setting: the first bulk endpoint each way. */
static bool has_bulk_pair(const struct libusb_interface_descriptor *setting, struct usb_interface *interface)
{
	interface->in = interface->out = 0;
	for (unsigned i = 0; i < setting->bNumEndpoints; i++) {
		const struct libusb_endpoint_descriptor *endpoint = &setting->endpoint[i];
		bool is_in = endpoint->bEndpointAddress & LIBUSB_ENDPOINT_IN;
		uint8_t *address = is_in ? &interface->in : &interface->out;
		if ((endpoint->bmAttributes & LIBUSB_TRANSFER_TYPE_MASK) != LIBUSB_TRANSFER_TYPE_BULK ||
		    *address != 0 || endpoint->wMaxPacketSize == 0 || endpoint->wMaxPacketSize > USB_PACKET_MAX)
			continue;
		*address = endpoint->bEndpointAddress;
		if (is_in)
			interface->packet_size = endpoint->wMaxPacketSize;
	}
	return interface->in != 0 && interface->out != 0;
}

/* Strings come from the device: what could move the cursor of a terminal is not taken. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* A string of a device that may not be opened: the kernel shows it to everybody. suffix: of the device's folder. */
static void read_shown_string(libusb_device *device, const char *suffix, const char *name, char *text, int capacity)
{
	uint8_t ports[7];
	char path[128];

	int count = libusb_get_port_numbers(device, ports, sizeof ports);
	size_t length = (size_t)snprintf(path, sizeof path, "/sys/bus/usb/devices/%u", libusb_get_bus_number(device));
	for (int i = 0; i < count; i++)
		length += (size_t)snprintf(path + length, sizeof path - length, "%c%u", i ? '.' : '-', ports[i]);
	snprintf(path + length, sizeof path - length, "%s/%s", suffix, name);
	FILE *file = fopen(path, "r");
	if (!file)
		return;
	if (fgets(text, capacity, file))
		text[strcspn(text, "\n")] = 0;
	fclose(file);
}

struct reader {
	libusb_device *device;
	libusb_device_handle *handle; /* NULL: the device cannot be opened */
	struct libusb_device_descriptor descriptor;
	struct libusb_config_descriptor *configuration;
};

static void read_string(const struct reader *reader, uint8_t index, const char *suffix, const char *name, char *text,
                        int capacity)
{
	text[0] = 0;
	if (index == 0)
		return;
	if (!reader->handle)
		read_shown_string(reader->device, suffix, name, text, capacity);
	else if (libusb_get_string_descriptor_ascii(reader->handle, index, (unsigned char *)text, capacity) < 0)
		text[0] = 0;
	make_printable(text);
}

static void read_interface_name(const struct reader *reader, const struct libusb_interface_descriptor *setting,
                                struct usb_interface *interface)
{
	char suffix[16], name[64];

	snprintf(suffix, sizeof suffix, ":%u.%u", reader->configuration->bConfigurationValue,
	         setting->bInterfaceNumber);
	read_string(reader, setting->iInterface, suffix, "interface", name, sizeof name);
	interface->is_named = strcmp(name, USB_INTERFACE_NAME) == 0;
}

/* Of several the first that is named, else the first. */
static bool find_best_setting(const struct reader *reader, struct usb_interface *best)
{
	bool found = false;

	for (unsigned i = 0; i < reader->configuration->bNumInterfaces; i++) {
		const struct libusb_interface *settings = &reader->configuration->interface[i];
		for (int j = 0; j < settings->num_altsetting; j++) {
			const struct libusb_interface_descriptor *setting = &settings->altsetting[j];
			struct usb_interface one = {.number = setting->bInterfaceNumber,
			                            .alternate = setting->bAlternateSetting};
			if (setting->bInterfaceClass != LIBUSB_CLASS_VENDOR_SPEC || !has_bulk_pair(setting, &one))
				continue;
			read_interface_name(reader, setting, &one);
			if (!found || (one.is_named && !best->is_named))
				*best = one;
			found = true;
		}
	}
	return found;
}

static bool read_interface(struct reader *reader, struct usb_interface *interface)
{
	int failure = libusb_open(reader->device, &reader->handle);
	if (failure)
		reader->handle = NULL;
	bool found = find_best_setting(reader, interface);
	interface->device = reader->device;
	interface->vendor = reader->descriptor.idVendor;
	interface->product = reader->descriptor.idProduct;
	interface->is_refused = failure == LIBUSB_ERROR_ACCESS;
	read_string(reader, reader->descriptor.iSerialNumber, "", "serial", interface->serial,
	            sizeof interface->serial);
	read_string(reader, reader->descriptor.iProduct, "", "product", interface->product_name,
	            sizeof interface->product_name);
	if (reader->handle)
		libusb_close(reader->handle);
	return found;
}

static bool has_vendor_interface(const struct libusb_config_descriptor *configuration)
{
	for (unsigned i = 0; i < configuration->bNumInterfaces; i++)
		for (int j = 0; j < configuration->interface[i].num_altsetting; j++)
			if (configuration->interface[i].altsetting[j].bInterfaceClass == LIBUSB_CLASS_VENDOR_SPEC)
				return true;
	return false;
}

static bool examine_device(libusb_device *device, const struct usb_address *wanted, struct usb_interface *interface)
{
	struct reader reader = {.device = device};

	if (libusb_get_device_descriptor(device, &reader.descriptor))
		return false;
	if (wanted->names_device &&
	    (reader.descriptor.idVendor != wanted->vendor || reader.descriptor.idProduct != wanted->product))
		return false;
	if (libusb_get_active_config_descriptor(device, &reader.configuration))
		return false;
	/* Opening wakes a device that sleeps: only those are opened that may be it. */
	bool found = has_vendor_interface(reader.configuration) && read_interface(&reader, interface);
	libusb_free_config_descriptor(reader.configuration);
	return found;
}

enum status usb_interfaces_list(libusb_context *context, const struct usb_address *wanted,
                                struct usb_interfaces *interfaces, struct error *error)
{
	libusb_device **devices;

	*interfaces = (struct usb_interfaces){0};
	ssize_t count = libusb_get_device_list(context, &devices);
	if (count < 0)
		return status_fail(error, "usb: cannot list the devices: %s", libusb_strerror((int)count));
	interfaces->items = calloc((size_t)count + 1, sizeof *interfaces->items);
	for (ssize_t i = 0; interfaces->items && i < count; i++)
		if (examine_device(devices[i], wanted, &interfaces->items[interfaces->count])) {
			libusb_ref_device(devices[i]);
			interfaces->count++;
		}
	libusb_free_device_list(devices, 1);
	return interfaces->items ? STATUS_OK : status_fail(error, "usb: out of memory");
}

void usb_interfaces_free(struct usb_interfaces *interfaces)
{
	for (size_t i = 0; i < interfaces->count; i++)
		libusb_unref_device(interfaces->items[i].device);
	free(interfaces->items);
}

static bool fits(const struct usb_interface *interface, const struct usb_address *wanted)
{
	if (!wanted->names_device)
		return interface->is_named;
	return wanted->serial[0] == 0 || strcmp(wanted->serial, interface->serial) == 0;
}

/* What to type for each that fits; wanted = NULL: for all. */
static void list_sources(const struct usb_interfaces *interfaces, const struct usb_address *wanted, char *text,
                         size_t capacity)
{
	char source[USB_SOURCE_SIZE];
	size_t length = 0;

	for (size_t i = 0; i < interfaces->count && length < capacity; i++) {
		if (wanted && !fits(&interfaces->items[i], wanted))
			continue;
		usb_interface_source(&interfaces->items[i], source);
		length += (size_t)snprintf(text + length, capacity - length, "%s%s", length ? ", " : "", source);
	}
}

static enum status none_fits(const struct usb_interfaces *interfaces, const struct usb_address *wanted,
                             struct error *error)
{
	char source[USB_SOURCE_SIZE], others[256];

	if (!wanted->names_device)
		return status_fail(error,
		                   "usb: no device is attached that has an interface of class 0xff with the string "
		                   "\"" USB_INTERFACE_NAME "\" and a bulk endpoint each way; usb:VID:PID takes "
		                   "one whose string is another");
	usb_source_format(wanted->vendor, wanted->product, wanted->serial, source);
	if (interfaces->count == 0)
		return status_fail(error,
		                   "%s: no such device is attached that has an interface of class 0xff with a bulk "
		                   "endpoint each way",
		                   source);
	list_sources(interfaces, NULL, others, sizeof others);
	return status_fail(error, "%s: no such device is attached; there is %s", source, others);
}

enum status usb_interfaces_choose(const struct usb_interfaces *interfaces, const struct usb_address *wanted,
                                  const struct usb_interface **chosen, struct error *error)
{
	char fitting[256];
	size_t count = 0;

	for (size_t i = 0; i < interfaces->count; i++)
		if (fits(&interfaces->items[i], wanted) && count++ == 0)
			*chosen = &interfaces->items[i];
	if (count == 0)
		return none_fits(interfaces, wanted, error);
	if (count == 1)
		return STATUS_OK;
	list_sources(interfaces, wanted, fitting, sizeof fitting);
	return status_fail(error, "usb: %zu devices fit; name one of them, or unplug the others: %s", count, fitting);
}

void usb_interface_source(const struct usb_interface *interface, char source[USB_SOURCE_SIZE])
{
	usb_source_format(interface->vendor, interface->product, interface->serial, source);
}

void usb_interface_permission(const struct usb_interface *interface, char *text, size_t capacity)
{
	/* The rule that gives the tag its meaning is 73-seat-late.rules: the file must come before it. */
	snprintf(text, capacity,
	         "no permission to open it; put the line SUBSYSTEM==\"usb\", ATTR{idVendor}==\"%04x\", "
	         "ATTR{idProduct}==\"%04x\", TAG+=\"uaccess\" into /etc/udev/rules.d/70-bareprof.rules and plug it in "
	         "again",
	         interface->vendor, interface->product);
}
