/* SPDX-License-Identifier: MIT */
/* See source.h. */
#include "target/channel/source.h"

#include <errno.h>
#include <stdarg.h>
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

/* As it was typed. */
struct typed {
	const char *scheme, *text;
};

/* part: of what was typed. */
static enum status refuse(struct typed typed, const char *part, const char *reason, struct error *error)
{
	bool has_colon = typed.text[0] && typed.text[0] != ',';

	return status_usage(error, "%s%s%s: %.80s: %s", typed.scheme, has_colon ? ":" : "", typed.text, part, reason);
}

enum status source_refuse(const struct source_option *option, struct error *error, const char *format, ...)
{
	char part[128], reason[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	snprintf(part, sizeof part, "%s=%s", option->name, option->value);
	return refuse((struct typed){option->scheme, option->text}, part, reason, error);
}

static enum status refuse_unknown(struct typed typed, const char *part, const struct source_option *options,
                                  size_t count, struct error *error)
{
	char known[128], reason[256];

	list_names(options, count, known, sizeof known);
	snprintf(reason, sizeof reason, "this source has no such option; it knows: %s", count ? known : "none at all");
	return refuse(typed, part, reason, error);
}

/* part: `name=value`. */
static enum status set_option(struct typed typed, const char *part, size_t name_length, struct source_option *options,
                              size_t count, struct error *error)
{
	const char *value = part + name_length + 1;

	for (size_t i = 0; i < count; i++) {
		struct source_option *option = &options[i];
		if (strlen(option->name) != name_length || strncmp(option->name, part, name_length) != 0)
			continue;
		if (option->given)
			return refuse(typed, part, "this option is given twice", error);
		if (strlen(value) >= sizeof option->value)
			return refuse(typed, part, "the value is too long", error);
		memcpy(option->value, value, strlen(value) + 1);
		option->scheme = typed.scheme;
		option->text = typed.text;
		option->given = true;
		return STATUS_OK;
	}
	return refuse_unknown(typed, part, options, count, error);
}

enum status source_split(const char *scheme, const char *text, char *address, size_t capacity,
                         struct source_option *options, size_t count, struct error *error)
{
	if (strlen(text) >= capacity)
		return status_usage(error, "%s:%.80s...: the source is too long", scheme, text);
	memcpy(address, text, strlen(text) + 1);
	for (;;) {
		char *comma = strrchr(address, ',');
		size_t name_length = comma != NULL ? strspn(comma + 1, lower_case) : 0;
		if (name_length == 0 || comma[1 + name_length] != '=')
			return STATUS_OK;
		enum status status =
		        set_option((struct typed){scheme, text}, comma + 1, name_length, options, count, error);
		if (status != STATUS_OK)
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
		return source_refuse(option, error, "expected seconds, from 0.001 to %.0f", SECONDS_MAX);
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
		return source_refuse(option, error, "expected a number, decimal or 0x...");
	*value = number;
	return STATUS_OK;
}
