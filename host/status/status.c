/* SPDX-License-Identifier: MIT */
#include "status/status.h"

#include <stdio.h>

enum status status_fail(struct error *error, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->message, sizeof error->message, format, arguments);
	va_end(arguments);
	return STATUS_FAILED;
}

enum status status_usage(struct error *error, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->message, sizeof error->message, format, arguments);
	va_end(arguments);
	return STATUS_USAGE;
}
