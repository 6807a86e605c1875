/* SPDX-License-Identifier: MIT */
/* See checks.h. */
#include "checks.h"
#include "test.h"

enum status open_channel(const struct channel_ops *ops, const char *address, int cancel, struct channel **channel,
                         struct error *error)
{
	char text[512];
	struct source source;

	snprintf(text, sizeof text, "%s:%s", ops->syntax.scheme, address);
	enum status status = source_split(text, ops->syntax.options, &source, error);
	return status ? status : ops->open(&source, cancel, channel, error);
}

enum wait_result take(struct channel *channel, char *text, size_t capacity, uint64_t deadline)
{
	size_t size = 0;
	enum wait_result result = channel->ops->read(channel, text, capacity - 1, deadline, &size);

	text[size] = 0;
	return result;
}
