/* SPDX-License-Identifier: MIT */
/* See values.h. */
#include "command/values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FREQUENCY_SIZE sizeof "4294967295M"

static bool begins_with_digit(const char *text)
{
	return *text >= '0' && *text <= '9';
}

bool value_parse_number(const char *text, uint32_t max, uint32_t *number)
{
	char *end;
	unsigned long long parsed = strtoull(text, &end, 10);

	if (!begins_with_digit(text) || *end || parsed > max)
		return false;
	*number = (uint32_t)parsed;
	return true;
}

enum status value_number(const struct command *command, const char *name, const char *text,
                         const struct value_range *range, uint32_t *number, struct error *error)
{
	if (!value_parse_number(text, range->max, number) || *number < range->min)
		return command_usage(command, error, "%s %.40s: expected %s, from %" PRIu32 " to %" PRIu32, name, text,
		                     range->what, range->min, range->max);
	return STATUS_OK;
}

enum status value_seconds(const struct command *command, const char *name, const char *text, bool from_zero, double max,
                          unsigned *milliseconds, struct error *error)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(from_zero ? seconds >= 0 : seconds > 0) || seconds > max)
		return command_usage(command, error, "%s %.40s: expected seconds, %s %.0f", name, text,
		                     from_zero ? "from 0 to" : "more than 0 and at most", max);
	*milliseconds = (unsigned)(seconds * 1000 + 0.5);
	if (seconds > 0 && *milliseconds == 0)
		*milliseconds = 1;
	return STATUS_OK;
}

/* 0 = unknown unit. A plain m is not accepted for M, because it means a thousandth. */
static double unit_factor(const char *unit)
{
	if (strcasecmp(unit, "MHz") == 0)
		return 1e6;
	double factor = *unit == 'M' ? 1e6 : *unit == 'k' || *unit == 'K' ? 1e3 : 1;

	unit += factor > 1;
	return *unit == '\0' || strcasecmp(unit, "Hz") == 0 ? factor : 0;
}

/* In the form that the option accepts. */
static const char *format_frequency(uint32_t hertz, char text[FREQUENCY_SIZE])
{
	if (hertz % 1000000 == 0)
		snprintf(text, FREQUENCY_SIZE, "%" PRIu32 "M", hertz / 1000000);
	else if (hertz % 1000 == 0)
		snprintf(text, FREQUENCY_SIZE, "%" PRIu32 "k", hertz / 1000);
	else
		snprintf(text, FREQUENCY_SIZE, "%" PRIu32, hertz);
	return text;
}

enum status value_frequency(const struct command *command, const char *name, const char *text,
                            const struct value_range *range, uint32_t *hertz, struct error *error)
{
	char *end, min[FREQUENCY_SIZE], max[FREQUENCY_SIZE];
	double number = strtod(text, &end);
	double frequency = round(number * unit_factor(end));

	/* Other numbers that strtod() accepts, such as 0x10 and 1e6, are harmless. */
	if (!begins_with_digit(text) || !(frequency >= range->min) || frequency > range->max)
		return command_usage(command, error, "%s %.40s: expected %s, from %s to %s", name, text, range->what,
		                     format_frequency(range->min, min), format_frequency(range->max, max));
	*hertz = (uint32_t)frequency;
	return STATUS_OK;
}
