/* SPDX-License-Identifier: MIT */
/* See address.h. */
#include "acquire/usb/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hexadecimal_digits[] = "0123456789abcdefABCDEF";

/* Parses an id of one to four digits at *text. */
static bool parse_id(const char **text, uint16_t *id)
{
	size_t length = strspn(*text, hexadecimal_digits);

	if (length == 0 || length > 4)
		return false;
	*id = (uint16_t)strtoul(*text, NULL, 16);
	*text += length;
	return true;
}

static bool parse_serial(const char *text, struct usb_address *address)
{
	if (*text == 0 || strlen(text) >= sizeof address->serial)
		return false;

	memcpy(address->serial, text, strlen(text) + 1);
	return true;
}

static bool parse_device(const char *text, struct usb_address *address)
{
	if (!parse_id(&text, &address->vendor) || *text++ != ':' || !parse_id(&text, &address->product))
		return false;
	address->names_device = *text == 0 || (*text == ':' && parse_serial(text + 1, address));
	return address->names_device;
}

enum status usb_address_parse(const char *text, const struct usb_naming *naming, struct usb_address *address,
                              struct error *error)
{
	*address = (struct usb_address){.names_device = false};
	if (*text == 0 || parse_device(text, address) || (naming->by_serial && parse_serial(text, address)))
		return STATUS_OK;
	return status_usage(error,
	                    "%s:%.200s: expected VID:PID or VID:PID:SERIAL, the ids as up to four hexadecimal digits "
	                    "each, as lsusb prints them%s",
	                    naming->scheme, text, naming->by_serial ? ", or the serial number alone" : "");
}

void usb_address_format(const struct usb_naming *naming, uint16_t vendor, uint16_t product, const char *serial,
                        char source[USB_SOURCE_SIZE])
{
	struct usb_address read;

	/* If the serial number looks like ids, the real ids must precede it. */
	if (naming->by_serial && serial[0] && !parse_device(serial, &read))
		snprintf(source, USB_SOURCE_SIZE, "%s:%s", naming->scheme, serial);
	else
		snprintf(source, USB_SOURCE_SIZE, "%s:%04x:%04x%s%s", naming->scheme, vendor, product,
		         serial[0] ? ":" : "", serial);
}
