/* SPDX-License-Identifier: MIT */
/* See source.h. */
#include "channel/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A day: longer waits are a slip of the pen. */
#define SECONDS_MAX 86400.0

static const char lower_case[] = "abcdefghijklmnopqrstuvwxyz-";

bool source_has_scheme(const char *source, const char *scheme)
{
	size_t length = strlen(scheme);
	return strcspn(source, SOURCE_SCHEME_ENDS) == length && strncmp(source, scheme, length) == 0;
}

static void list_names(const struct source_option *options, size_t count, char *text, size_t capacity)
{
	size_t length = 0;
	text[0] = 0;
	for (size_t i = 0; i < count && length < capacity; i++)
		length += (size_t)snprintf(text + length, capacity - length, "%s%s", i ? ", " : "", options[i].name);
}

static enum status set_option(const char *name, size_t name_length, const char *value, struct source_option *options,
                              size_t count, struct error *error)
{
	char known[128];

	for (size_t i = 0; i < count; i++) {
		struct source_option *option = &options[i];
		if (strlen(option->name) != name_length || strncmp(option->name, name, name_length) != 0)
			continue;
		if (option->given)
			return status_usage(error, "%s=%.80s: this option is given twice", option->name, value);
		if (strlen(value) >= sizeof option->value)
			return status_usage(error, "%s=%.80s: the value is too long", option->name, value);
		memcpy(option->value, value, strlen(value) + 1);
		option->given = true;
		return STATUS_OK;
	}
	list_names(options, count, known, sizeof known);
	return status_usage(error, "%.80s: this source has no such option; it knows: %s", name,
	                    count ? known : "none at all");
}

enum status source_split(const char *text, char *address, size_t capacity, struct source_option *options, size_t count,
                         struct error *error)
{
	if (strlen(text) >= capacity)
		return status_usage(error, "%.80s...: the source is too long", text);
	memcpy(address, text, strlen(text) + 1);
	for (;;) {
		char *comma = strrchr(address, ',');
		size_t name_length = comma ? strspn(comma + 1, lower_case) : 0;
		if (name_length == 0 || comma[1 + name_length] != '=')
			return STATUS_OK;
		enum status status = set_option(comma + 1, name_length, comma + name_length + 2, options, count, error);
		if (status)
			return status;
		*comma = 0;
	}
}

enum status source_milliseconds(const struct source_option *option, unsigned *milliseconds, struct error *error)
{
	char *end;

	if (!option->given)
		return STATUS_OK;
	double seconds = strtod(option->value, &end);
	if (end == option->value || *end || !(seconds >= 0.001) || seconds > SECONDS_MAX)
		return status_usage(error, "%s=%s: expected seconds, from 0.001 to %.0f", option->name, option->value,
		                    SECONDS_MAX);
	*milliseconds = (unsigned)(seconds * 1000 + 0.5);
	return STATUS_OK;
}

enum status source_number(const struct source_option *option, uint64_t *value, struct error *error)
{
	char *end;

	if (!option->given)
		return STATUS_OK;
	errno = 0;
	unsigned long long number = strtoull(option->value, &end, 0);
	if (end == option->value || *end || errno || option->value[0] == '-')
		return status_usage(error, "%s=%s: expected a number, decimal or 0x...", option->name, option->value);
	*value = number;
	return STATUS_OK;
}
