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

enum status option_take_number(const struct given_option *given, struct error *error)
{
	const struct value_range *range = given->row->detail;
	uint32_t *number = option_member(given);

	if (!value_parse_number(given->value, range->max, number) || *number < range->min)
		return option_refuse(given, given->value, range->what, error);
	return STATUS_OK;
}

enum status option_take_percent(const struct given_option *given, struct error *error)
{
	const struct value_percentage *range = given->row->detail;
	char *end, expected[80];
	double percent = strtod(given->value, &end);

	end += *end == '%';
	snprintf(expected, sizeof expected, "a percentage from %g%% to %g%%", range->min, range->max);
	if (given->value[0] < '0' || given->value[0] > '9' || *end != '\0' || !(percent >= range->min) ||
	    percent > range->max)
		return option_refuse(given, given->value, expected, error);
	*(double *)option_member(given) = percent / 100;
	return STATUS_OK;
}

enum status option_take_seconds(const struct given_option *given, struct error *error)
{
	const struct value_seconds *range = given->row->detail;
	unsigned *milliseconds = option_member(given);
	char *end, expected[80];
	double seconds = strtod(given->value, &end);

	snprintf(expected, sizeof expected, "seconds, %s %.0f",
	         range->from_zero ? "from 0 to" : "more than 0 and at most", range->max);
	if (end == given->value || *end || !(range->from_zero ? seconds >= 0 : seconds > 0) || seconds > range->max)
		return option_refuse(given, given->value, expected, error);
	*milliseconds = (unsigned)(seconds * 1000 + 0.5);
	if (seconds > 0 && *milliseconds == 0)
		*milliseconds = 1;
	return STATUS_OK;
}

/* 0: unknown unit. A plain m is unknown: it means a thousandth, not M. */
static double unit_factor(const char *unit)
{
	if (strcasecmp(unit, "MHz") == 0)
		return 1e6;
	double factor = *unit == 'M' ? 1e6 : *unit == 'k' || *unit == 'K' ? 1e3 : 1;

	unit += factor > 1;
	return *unit == '\0' || strcasecmp(unit, "Hz") == 0 ? factor : 0;
}

/* Formats hertz as the option accepts them. */
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

enum status option_take_frequency(const struct given_option *given, struct error *error)
{
	const struct value_range *range = given->row->detail;
	char *end, min[FREQUENCY_SIZE], max[FREQUENCY_SIZE], expected[120];
	double number = strtod(given->value, &end);
	double frequency = round(number * unit_factor(end));

	snprintf(expected, sizeof expected, "%s, from %s to %s", range->what, format_frequency(range->min, min),
	         format_frequency(range->max, max));
	/* Other numbers that strtod() accepts, such as 0x10 and 1e6, are harmless. */
	if (!begins_with_digit(given->value) || !(frequency >= range->min) || frequency > range->max)
		return option_refuse(given, given->value, expected, error);
	*(uint32_t *)option_member(given) = (uint32_t)frequency;
	return STATUS_OK;
}
