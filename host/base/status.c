/* SPDX-License-Identifier: MIT */
/* See status.h. */
#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* A message that is too long contains a long name. It is cut in the middle, because the reason is at the end. */
static void format_message(struct error *error, const char *format, va_list arguments)
{
	char whole[8192];

	error->hint = HINT_NONE;
	const size_t room = sizeof error->message, head = room / 3;
	vsnprintf(whole, sizeof whole, format, arguments);
	size_t length = strlen(whole);
	if (length < room)
		memcpy(error->message, whole, length + 1);
	else
		snprintf(error->message, room, "%.*s...%s", (int)head, whole, whole + length - (room - head - 4));
}

enum status status_fail(struct error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	format_message(error, format, arguments);
	va_end(arguments);
	return STATUS_FAILED;
}

enum status status_fail_with(struct error *error, enum hint hint, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	format_message(error, format, arguments);
	va_end(arguments);
	error->hint = hint;
	return STATUS_FAILED;
}

enum status status_usage(struct error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	format_message(error, format, arguments);
	va_end(arguments);
	return STATUS_USAGE;
}

enum status status_no_memory(struct error *error, const char *name)
{
	return status_fail(error, "%s: out of memory", name);
}

enum status status_add(enum status status, struct error *error, const struct error *other)
{
	if (other->message[0] == '\0' || (status != STATUS_OK && strstr(error->message, other->message) != NULL))
		return status;
	enum hint hint = status == STATUS_OK || error->hint == HINT_NONE ? other->hint : error->hint;
	if (status == STATUS_OK)
		return status_fail_with(error, hint, "%s", other->message);
	status_fail_with(error, hint, "%s; %s", error->message, other->message);
	return status;
}
