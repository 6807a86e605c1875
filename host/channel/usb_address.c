/* SPDX-License-Identifier: MIT */
/* See usb_address.h. */
#include "channel/usb_address.h"
#include "channel/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_DEFAULT 5000

static const char hexadecimal_digits[] = "0123456789abcdefABCDEF";

/* Takes an id of one to four digits off the front of *text. */
static bool take_id(const char **text, uint16_t *id)
{
	size_t length = strspn(*text, hexadecimal_digits);
	if (length == 0 || length > 4)
		return false;
	*id = (uint16_t)strtoul(*text, NULL, 16);
	*text += length;
	return true;
}

static bool parse_device(const char *text, struct usb_address *address)
{
	if (!take_id(&text, &address->vendor) || *text++ != ':' || !take_id(&text, &address->product))
		return false;
	if (*text == 0)
		return true;
	if (*text++ != ':' || *text == 0 || strlen(text) >= sizeof address->serial)
		return false;
	memcpy(address->serial, text, strlen(text) + 1);
	return true;
}

enum status usb_address_parse(const char *text, struct usb_address *address, struct error *error)
{
	struct source_option timeout = {.name = "timeout"};
	char device[256];

	*address = (struct usb_address){.timeout = TIMEOUT_DEFAULT};
	enum status status = source_split(text, device, sizeof device, &timeout, 1, error);
	if (!status)
		status = source_milliseconds(&timeout, &address->timeout, error);
	if (status || device[0] == 0)
		return status;
	address->names_device = true;
	if (!parse_device(device, address))
		return status_usage(error,
		                    "usb:%.200s: expected VID:PID or VID:PID:SERIAL, the ids as up to four hexadecimal "
		                    "digits each, as lsusb prints them",
		                    device);
	return STATUS_OK;
}

void usb_source_format(uint16_t vendor, uint16_t product, const char *serial, char source[USB_SOURCE_SIZE])
{
	snprintf(source, USB_SOURCE_SIZE, "usb:%04x:%04x%s%s", vendor, product, serial[0] ? ":" : "", serial);
}
