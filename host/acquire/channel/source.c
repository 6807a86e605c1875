/* SPDX-License-Identifier: MIT */
/* See source.h. */
#include "acquire/channel/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A day: longer waits are typos. */
#define SECONDS_MAX 86400.0

#define SCHEME_ENDS ":,"

static const char lower_case[] = "abcdefghijklmnopqrstuvwxyz-";

bool source_has_scheme(const char *text, const char *scheme)
{
	size_t length = strlen(scheme);

	return strcspn(text, SCHEME_ENDS) == length && strncmp(text, scheme, length) == 0;
}

/* part: the faulty part of the text. */
static enum status refuse_part(const struct source *source, const char *part, const char *reason, struct error *error)
{
	return status_usage(error, "%s: %.80s: %s", source->text, part, reason);
}

enum status source_refuse(const struct source *source, const char *name, struct error *error, const char *format, ...)
{
	char part[128], reason[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	snprintf(part, sizeof part, "%s=%s", name, source_value(source, name));
	return refuse_part(source, part, reason, error);
}

static enum status refuse_unknown_option(const struct source *source, const char *part, struct error *error)
{
	char reason[256] = "this source has no such option; it knows:";
	size_t length = strlen(reason);

	for (size_t i = 0; i < SOURCE_OPTIONS_MAX && source->options[i].name != NULL; i++)
		length += (size_t)snprintf(reason + length, sizeof reason - length, "%s %s", i ? "," : "",
		                           source->options[i].name);
	return refuse_part(source, part, reason, error);
}

/* part: `name=value`. */
static enum status set_option(struct source *source, const char *part, size_t name_length, struct error *error)
{
	const char *value = part + name_length + 1;

	for (size_t i = 0; i < SOURCE_OPTIONS_MAX && source->options[i].name != NULL; i++) {
		struct source_option *option = &source->options[i];

		if (strlen(option->name) != name_length || strncmp(option->name, part, name_length) != 0)
			continue;
		if (option->is_given)
			return refuse_part(source, part, "this option is given twice", error);
		if (strlen(value) >= sizeof option->value)
			return refuse_part(source, part, "the value is too long", error);
		memcpy(option->value, value, strlen(value) + 1);
		option->is_given = true;
		return STATUS_OK;
	}
	return refuse_unknown_option(source, part, error);
}

enum status source_split(const char *text, const char *const names[SOURCE_OPTIONS_MAX], struct source *source,
                         struct error *error)
{
	const char *address = text + strcspn(text, SCHEME_ENDS);

	source->text = text;
	for (size_t i = 0; i < SOURCE_OPTIONS_MAX; i++)
		source->options[i] = (struct source_option){.name = names[i]};
	address += *address == ':';
	if (strlen(address) >= sizeof source->address)
		return status_usage(error, "%.80s...: the source is too long", text);
	memcpy(source->address, address, strlen(address) + 1);
	for (;;) {
		char *comma = strrchr(source->address, ',');
		size_t name_length = comma != NULL ? strspn(comma + 1, lower_case) : 0;

		if (name_length == 0 || comma[1 + name_length] != '=')
			return STATUS_OK;
		enum status status = set_option(source, comma + 1, name_length, error);
		if (status != STATUS_OK)
			return status;
		*comma = 0;
	}
}

const char *source_value(const struct source *source, const char *name)
{
	for (size_t i = 0; i < SOURCE_OPTIONS_MAX && source->options[i].name != NULL; i++)
		if (source->options[i].is_given && strcmp(source->options[i].name, name) == 0)
			return source->options[i].value;
	return NULL;
}

enum status source_milliseconds(const struct source *source, const char *name, unsigned *milliseconds,
                                struct error *error)
{
	const char *value = source_value(source, name);
	char *end;

	if (value == NULL)
		return STATUS_OK;
	double seconds = strtod(value, &end);
	if (end == value || *end || !(seconds >= 0.001) || seconds > SECONDS_MAX)
		return source_refuse(source, name, error, "expected seconds, from 0.001 to %.0f", SECONDS_MAX);
	*milliseconds = (unsigned)(seconds * 1000 + 0.5);
	return STATUS_OK;
}

enum status source_number(const struct source *source, const char *name, uint64_t min, uint64_t max, uint64_t *value,
                          struct error *error)
{
	const char *text = source_value(source, name);
	char *end;

	if (text == NULL)
		return STATUS_OK;
	errno = 0;
	unsigned long long number = strtoull(text, &end, 0);
	if (end == text || *end || errno || text[0] == '-' || number < min || number > max)
		return max == UINT64_MAX ? source_refuse(source, name, error, "expected a number, decimal or 0x...")
		                         : source_refuse(source, name, error,
		                                         "expected a number from %" PRIu64 " to %" PRIu64, min, max);
	*value = number;
	return STATUS_OK;
}
