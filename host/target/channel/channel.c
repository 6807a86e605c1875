/* SPDX-License-Identifier: MIT */
/* The table of all channels, and of those that need a missing library. */
#include "target/channel/channel.h"

#include <stdbool.h>
#include <string.h>

const struct channel_ops *const channel_table[] = {
#ifdef HAVE_LIBSERIALPORT
        &channel_uart,
#endif
#ifdef HAVE_LIBUSB_1_0
        &channel_usb,
#endif
        &channel_tcp,
        NULL,
};

const struct unavailable unavailable_channels[] = {
#ifndef HAVE_LIBSERIALPORT
        {"uart", "libserialport", true},
#endif
#ifndef HAVE_LIBUSB_1_0
        {"usb", "libusb-1.0", true},
#endif
        {NULL, NULL, false},
};

const struct channel_ops *channel_find(const char *scheme)
{
	for (size_t i = 0; channel_table[i]; i++)
		if (strcmp(channel_table[i]->scheme, scheme) == 0)
			return channel_table[i];
	return NULL;
}
