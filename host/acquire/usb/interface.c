/* SPDX-License-Identifier: MIT */
/* See interface.h. */
#include "acquire/usb/interface.h"

#include <libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_type(const struct libusb_endpoint_descriptor *endpoint, enum libusb_endpoint_transfer_type type)
{
	return (endpoint->bmAttributes & LIBUSB_TRANSFER_TYPE_MASK) == type && endpoint->wMaxPacketSize != 0 &&
	       endpoint->wMaxPacketSize <= USB_PACKET_MAX;
}

/* Finds the first endpoint of the type in each direction, among the first count endpoints. */
static void find_endpoints(const struct libusb_interface_descriptor *setting, unsigned count,
                           enum libusb_endpoint_transfer_type type, struct usb_interface *interface)
{
	interface->in = interface->out = 0;
	for (unsigned i = 0; i < count && i < setting->bNumEndpoints; i++) {
		const struct libusb_endpoint_descriptor *endpoint = &setting->endpoint[i];
		bool is_in = endpoint->bEndpointAddress & LIBUSB_ENDPOINT_IN;
		uint8_t *address = is_in ? &interface->in : &interface->out;

		if (!is_of_type(endpoint, type) || *address != 0)
			continue;
		*address = endpoint->bEndpointAddress;
		if (is_in)
			interface->packet_size = endpoint->wMaxPacketSize;
	}
}

static bool has_pair_of_class(const struct libusb_interface_descriptor *setting, enum libusb_class_code class,
                              struct usb_interface *interface)
{
	if (setting->bInterfaceClass != class)
		return false;
	find_endpoints(setting, setting->bNumEndpoints, LIBUSB_ENDPOINT_TRANSFER_TYPE_BULK, interface);
	return interface->in != 0 && interface->out != 0;
}

static bool has_bulk_pair(const struct libusb_interface_descriptor *setting, struct usb_interface *interface)
{
	return has_pair_of_class(setting, LIBUSB_CLASS_VENDOR_SPEC, interface);
}

static bool has_storage(const struct libusb_interface_descriptor *setting, struct usb_interface *interface)
{
	return has_pair_of_class(setting, LIBUSB_CLASS_MASS_STORAGE, interface);
}

static bool has_ordered_bulk(const struct libusb_interface_descriptor *setting, struct usb_interface *interface)
{
	if (setting->bInterfaceClass != LIBUSB_CLASS_VENDOR_SPEC &&
	    setting->bInterfaceClass != LIBUSB_CLASS_PER_INTERFACE)
		return false;
	find_endpoints(setting, 2, LIBUSB_ENDPOINT_TRANSFER_TYPE_BULK, interface);
	return interface->in != 0 && interface->out == setting->endpoint[0].bEndpointAddress;
}

static bool has_reports(const struct libusb_interface_descriptor *setting, struct usb_interface *interface)
{
	if (setting->bInterfaceClass != LIBUSB_CLASS_HID)
		return false;
	find_endpoints(setting, setting->bNumEndpoints, LIBUSB_ENDPOINT_TRANSFER_TYPE_INTERRUPT, interface);
	return interface->in != 0;
}

static bool (*const type_tests[])(const struct libusb_interface_descriptor *setting,
                                  struct usb_interface *interface) = {
        [USB_BULK_PAIR] = has_bulk_pair,
        [USB_BULK_ORDERED] = has_ordered_bulk,
        [USB_HID] = has_reports,
        [USB_STORAGE] = has_storage,
};

/* Strings come from the device: replaces control characters. */
static void replace_controls(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

struct device_reader {
	const struct usb_kind *kind;
	libusb_device *device;
	libusb_device_handle *handle; /* NULL: the device cannot be opened */
	struct libusb_device_descriptor descriptor;
	struct libusb_config_descriptor *configuration;
	char place[32];         /* bus and ports: "1-2.3" */
	char product_name[128]; /* empty = unreadable */
};

/* Formats the device's location as the kernel and hidapi do. */
static void format_place(libusb_device *device, char *place, size_t capacity)
{
	uint8_t ports[7]; /* the longest chain of hubs (USB 3.2, 10.2) */

	int count = libusb_get_port_numbers(device, ports, sizeof ports);
	size_t length = (size_t)snprintf(place, capacity, "%u", libusb_get_bus_number(device));
	for (int i = 0; i < count && length < capacity; i++)
		length += (size_t)snprintf(place + length, capacity - length, "%c%u", i ? '.' : '-', ports[i]);
}

/* Reads a string of a device that cannot be opened, from the kernel. */
static void read_kernel_string(const char *place, const char *name, char *text, int capacity)
{
	char path[128];

	snprintf(path, sizeof path, "/sys/bus/usb/devices/%s/%s", place, name);
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return;
	if (fgets(text, capacity, file) != NULL)
		text[strcspn(text, "\n")] = 0;
	fclose(file);
}

/* Reads a string from the device or, if it cannot be opened, from the kernel's file of this place and name. */
static void read_device_string(const struct device_reader *reader, uint8_t index, const char *place, const char *name,
                               char *text, int capacity)
{
	text[0] = 0;
	if (index == 0)
		return;
	if (reader->handle == NULL)
		read_kernel_string(place, name, text, capacity);
	else if (libusb_get_string_descriptor_ascii(reader->handle, index, (unsigned char *)text, capacity) < 0)
		text[0] = 0;
	replace_controls(text);
}

static const struct usb_known *find_known_device(const struct usb_kind *kind, uint16_t vendor, uint16_t product)
{
	for (const struct usb_known *known = kind->known; known != NULL && known->vendor; known++)
		if (known->vendor == vendor && known->product == product)
			return known;
	return NULL;
}

/* With several interfaces, the product string does not show which one is meant: an interface of the vendor's class may
 * serve any purpose (Atmel's EDBG has one for data). A HID is the right one, because keyboards do not say
 * "CMSIS-DAP". */
static enum usb_mark find_mark(const struct device_reader *reader, const struct usb_interface *one, const char *name)
{
	const struct usb_kind *kind = reader->kind;

	if (kind->may_be_part ? strstr(name, kind->name) != NULL : strcmp(name, kind->name) == 0)
		return USB_NAMED;
	if (kind->may_be_part && strstr(reader->product_name, kind->name) != NULL &&
	    (one->type == USB_HID || reader->configuration->bNumInterfaces == 1))
		return USB_PRODUCT_NAMED;
	if ((kind->owns_ids || one->type == USB_HID) &&
	    find_known_device(kind, reader->descriptor.idVendor, reader->descriptor.idProduct) != NULL)
		return USB_KNOWN;
	return USB_UNMARKED;
}

/* Checks an interface against a type. */
static bool read_setting(const struct device_reader *reader, const struct libusb_interface_descriptor *setting,
                         enum usb_interface_type type, struct usb_interface *one)
{
	char name[64];

	*one = (struct usb_interface){
	        .type = type, .number = setting->bInterfaceNumber, .alternate = setting->bAlternateSetting};
	if (!type_tests[type](setting, one))
		return false;
	snprintf(one->place, sizeof one->place, "%s:%u.%u", reader->place, reader->configuration->bConfigurationValue,
	         setting->bInterfaceNumber);
	read_device_string(reader, setting->iInterface, one->place, "interface", name, sizeof name);
	one->mark = find_mark(reader, one, name);
	return type != USB_STORAGE || one->mark != USB_UNMARKED;
}

/* Picks the interface of a type with the best mark, if that is better than *best's mark; among equals, the first. */
static void find_best_setting(const struct device_reader *reader, enum usb_interface_type type, bool *found,
                              struct usb_interface *best)
{
	for (unsigned i = 0; i < reader->configuration->bNumInterfaces; i++) {
		const struct libusb_interface *settings = &reader->configuration->interface[i];

		for (int j = 0; j < settings->num_altsetting; j++) {
			struct usb_interface one;

			if (!read_setting(reader, &settings->altsetting[j], type, &one) ||
			    (*found && one.mark >= best->mark))
				continue;
			*best = one;
			*found = true;
		}
	}
}

static bool find_interface(const struct device_reader *reader, struct usb_interface *interface)
{
	bool found = false;

	for (size_t i = 0; i < reader->kind->type_count; i++)
		find_best_setting(reader, reader->kind->types[i], &found, interface);
	return found;
}

/* Old ST-Link firmware sends bytes where characters should be. */
static void read_serial(const struct device_reader *reader, char *text, int capacity)
{
	enum { RAW = 12, ENGLISH = 0x409 };
	uint8_t descriptor[2 + 2 * RAW + 2];
	const uint8_t index = reader->descriptor.iSerialNumber;

	read_device_string(reader, index, reader->place, "serial", text, capacity);
	if (!reader->kind->has_raw_serials || reader->handle == NULL || index == 0 ||
	    libusb_get_string_descriptor(reader->handle, index, ENGLISH, descriptor, sizeof descriptor) != 2 + 2 * RAW)
		return;
	for (int i = 0; i < RAW; i++)
		snprintf(text + 2 * i, (size_t)(capacity - 2 * i), "%02X", descriptor[2 + 2 * i]);
}

static void read_interface(struct device_reader *reader, struct usb_interface *interface)
{
	const struct libusb_device_descriptor *descriptor = &reader->descriptor;

	int failure = libusb_open(reader->device, &reader->handle);
	if (failure)
		reader->handle = NULL;
	read_device_string(reader, descriptor->iProduct, reader->place, "product", reader->product_name,
	                   sizeof reader->product_name);
	find_interface(reader, interface);
	interface->kind = reader->kind;
	interface->device = reader->device;
	interface->vendor = descriptor->idVendor;
	interface->product = descriptor->idProduct;
	interface->release = descriptor->bcdDevice;
	interface->is_refused = failure == LIBUSB_ERROR_ACCESS;
	memcpy(interface->product_name, reader->product_name, sizeof interface->product_name);
	read_serial(reader, interface->serial, sizeof interface->serial);
	if (reader->handle != NULL)
		libusb_close(reader->handle);
}

static bool examine_device(libusb_device *device, const struct usb_kind *kind, const struct usb_address *wanted,
                           struct usb_interface *interface)
{
	struct device_reader reader = {.kind = kind, .device = device};

	if (libusb_get_device_descriptor(device, &reader.descriptor))
		return false;
	if (wanted->names_device &&
	    (reader.descriptor.idVendor != wanted->vendor || reader.descriptor.idProduct != wanted->product))
		return false;
	if (libusb_get_active_config_descriptor(device, &reader.configuration))
		return false;
	format_place(device, reader.place, sizeof reader.place);
	/* Only candidates are opened, because opening wakes a sleeping device. */
	bool found = find_interface(&reader, interface) &&
	             (!kind->owns_ids || wanted->names_device || interface->mark != USB_UNMARKED);
	if (found)
		read_interface(&reader, interface);
	libusb_free_config_descriptor(reader.configuration);
	return found;
}

enum status usb_interfaces_list(const struct usb_kind *kind, const struct usb_address *wanted,
                                struct usb_interfaces *interfaces, struct error *error)
{
	libusb_device **devices;

	*interfaces = (struct usb_interfaces){0};
	int failure = libusb_init(&interfaces->context);
	if (failure)
		return status_fail(error, "%s: no USB on this machine: %s", kind->naming.scheme,
		                   libusb_strerror(failure));
	ssize_t count = libusb_get_device_list(interfaces->context, &devices);
	if (count < 0)
		return status_fail(error, "%s: cannot list the USB devices: %s", kind->naming.scheme,
		                   libusb_strerror((int)count));
	interfaces->items = calloc((size_t)count + 1, sizeof *interfaces->items);
	for (ssize_t i = 0; interfaces->items != NULL && i < count; i++)
		if (examine_device(devices[i], kind, wanted, &interfaces->items[interfaces->count])) {
			libusb_ref_device(devices[i]);
			interfaces->count++;
		}
	libusb_free_device_list(devices, 1);
	return interfaces->items != NULL ? STATUS_OK : status_no_memory(error, kind->naming.scheme);
}

void usb_interfaces_free(struct usb_interfaces *interfaces)
{
	for (size_t i = 0; i < interfaces->count; i++)
		libusb_unref_device(interfaces->items[i].device);
	free(interfaces->items);
	if (interfaces->context != NULL)
		libusb_exit(interfaces->context);
}

static bool is_serial(const struct usb_interface *interface, const char *wanted)
{
	const char *serial = interface->serial;

	if (interface->kind->pads_serials) {
		serial += strspn(serial, "0");
		wanted += strspn(wanted, "0");
	}
	return strcmp(serial, wanted) == 0;
}

static bool fits_address(const struct usb_interface *interface, const struct usb_address *wanted)
{
	if (wanted->names_device ? interface->vendor != wanted->vendor || interface->product != wanted->product
	                         : interface->mark == USB_UNMARKED)
		return false;
	return wanted->serial[0] == 0 || is_serial(interface, wanted->serial);
}

/* Lists the SOURCEs of all interfaces that fit. */
static void list_fitting_sources(const struct usb_interfaces *interfaces, const struct usb_address *wanted, char *text,
                                 size_t capacity)
{
	char source[USB_SOURCE_SIZE];
	size_t length = 0;

	text[0] = 0;
	for (size_t i = 0; i < interfaces->count && length < capacity; i++) {
		if (!fits_address(&interfaces->items[i], wanted))
			continue;
		usb_interface_source(&interfaces->items[i], source);
		length += (size_t)snprintf(text + length, capacity - length, "%s%s", length ? ", " : "", source);
	}
}

static enum status none_fits(const struct usb_interfaces *interfaces, const struct usb_kind *kind,
                             const struct usb_address *wanted, struct error *error)
{
	const struct usb_naming by_ids = {.scheme = kind->naming.scheme};
	const struct usb_address any = {.names_device = false};
	struct usb_address of_any_serial = *wanted;
	const bool is_serial = !wanted->names_device && wanted->serial[0] != 0;
	const char *hint = is_serial && kind->no_serial != NULL ? kind->no_serial : "";
	char source[USB_SOURCE_SIZE], others[256];

	of_any_serial.serial[0] = 0;
	list_fitting_sources(interfaces, &of_any_serial, others, sizeof others);
	if (wanted->names_device)
		usb_address_format(&by_ids, wanted->vendor, wanted->product, wanted->serial, source);
	else
		snprintf(source, sizeof source, "%s%s%s", kind->naming.scheme, is_serial ? ":" : "", wanted->serial);
	if (!wanted->names_device && others[0] == 0)
		return status_fail(error, "%s: %s%s", source, kind->no_such, hint);
	if (others[0] != 0)
		return status_fail(error, "%s: no such device is attached; there is %s%s", source, others, hint);
	list_fitting_sources(interfaces, &any, others, sizeof others);
	return status_fail(error, "%s: no such device is attached %s%s%s", source, kind->no_interface,
	                   others[0] ? "; there is " : "", others);
}

enum status usb_interfaces_choose(const struct usb_interfaces *interfaces, const struct usb_kind *kind,
                                  const struct usb_address *wanted, const struct usb_interface **chosen,
                                  struct error *error)
{
	char fitting[256];
	size_t count = 0;

	for (size_t i = 0; i < interfaces->count; i++)
		if (fits_address(&interfaces->items[i], wanted) && count++ == 0)
			*chosen = &interfaces->items[i];
	if (count == 0)
		return none_fits(interfaces, kind, wanted, error);
	if (count == 1)
		return STATUS_OK;
	list_fitting_sources(interfaces, wanted, fitting, sizeof fitting);
	return status_fail(error, "%s: %zu devices fit; name one of them, or unplug the others: %s",
	                   kind->naming.scheme, count, fitting);
}

bool usb_interface_loses_packets(const struct usb_interface *interface)
{
	const struct usb_known *known = find_known_device(interface->kind, interface->vendor, interface->product);

	return known != NULL && interface->release < known->fixed_in_release;
}

const char *usb_interface_refusal(const struct usb_interface *interface)
{
	const struct usb_known *known = find_known_device(interface->kind, interface->vendor, interface->product);

	return known != NULL ? known->refusal : NULL;
}

void usb_interface_source(const struct usb_interface *interface, char source[USB_SOURCE_SIZE])
{
	struct usb_naming naming = interface->kind->naming;

	/* An unmarked interface must be named by its ids. */
	naming.by_serial &= interface->mark != USB_UNMARKED;
	usb_address_format(&naming, interface->vendor, interface->product, interface->serial, source);
}

/* Whether bareprof's udev rules, if installed, give permission. */
static bool has_rule(const struct usb_interface *interface)
{
	const struct usb_kind *kind = interface->kind;

	return find_known_device(kind, interface->vendor, interface->product) != NULL ||
	       (kind->may_be_part && strstr(interface->product_name, kind->name) != NULL);
}

void usb_interface_permission(const struct usb_interface *interface, char *text, size_t capacity)
{
	if (has_rule(interface)) {
		snprintf(text, capacity,
		         "no permission to open it; put bareprof's udev/70-bareprof-probes.rules into "
		         "/etc/udev/rules.d, unless make install put it into /usr/lib or /usr/local/lib, and plug it "
		         "in again");
		return;
	}
	/* 73-seat-late.rules uses the tag, so the file must sort before it. */
	snprintf(text, capacity,
	         "no permission to open it; put the line SUBSYSTEM==\"usb\", ATTR{idVendor}==\"%04x\", "
	         "ATTR{idProduct}==\"%04x\", TAG+=\"uaccess\" into /etc/udev/rules.d/70-bareprof.rules and plug it in "
	         "again",
	         interface->vendor, interface->product);
}
