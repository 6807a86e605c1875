/* SPDX-License-Identifier: MIT */
/* The table of all channels. Those that need a library which may be missing stand in one of two tables. */
#include "channel/channel.h"

#include <string.h>

const struct channel_ops *const channel_table[] = {
#ifdef HAVE_LIBSERIALPORT
        &channel_uart,
#endif
        &channel_tcp,
        NULL,
};

const struct channel_lacking channel_lacking[] = {
#ifndef HAVE_LIBSERIALPORT
        {"uart", "libserialport"},
#endif
        {NULL, NULL},
};

const struct channel_ops *channel_find(const char *source)
{
	size_t length = strcspn(source, ":");

	for (size_t i = 0; channel_table[i]; i++) {
		const char *scheme = channel_table[i]->scheme;
		if (source[length] == ':' && strlen(scheme) == length && strncmp(source, scheme, length) == 0)
			return channel_table[i];
	}
	return NULL;
}
