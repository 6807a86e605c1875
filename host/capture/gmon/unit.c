/* SPDX-License-Identifier: MIT */
/*
 * Comparison and rounding of the units of samples. Files hold rates in whole hertz, captures hold exact rates.
 */
#include "capture/gmon/private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The largest relative rounding error; every rate of 100 Hz or more stays below it. */
#define ROUNDING_TOLERANCE 0.005

bool gmon_whole_hertz(double hertz, uint32_t *whole)
{
	double rounded = round(hertz);

	if (rounded < 0 || rounded > UINT32_MAX || fabs(rounded - hertz) > ROUNDING_TOLERANCE * rounded)
		return false;
	*whole = (uint32_t)rounded;
	return true;
}

static bool is_dimension(const struct gmon_unit *unit, const char *dimension)
{
	return strcmp(unit->dimension, dimension) == 0;
}

bool gmon_counts_samples(const struct gmon_unit *unit)
{
	return unit->hertz <= 0 || (lround(unit->hertz) == 1 && is_dimension(unit, GMON_SAMPLES));
}

bool gmon_counts_seconds(const struct gmon_unit *unit)
{
	return unit->hertz > 0 && is_dimension(unit, GMON_SECONDS);
}

static bool is_as_written(const struct gmon_unit *exact, const struct gmon_unit *rounded)
{
	uint32_t whole;

	return gmon_whole_hertz(exact->hertz, &whole) && whole == lround(rounded->hertz);
}

static bool is_same_rate(const struct gmon_unit *left, const struct gmon_unit *right)
{
	if (gmon_counts_samples(left) || gmon_counts_samples(right))
		return gmon_counts_samples(left) && gmon_counts_samples(right);
	if (left->is_exact != right->is_exact)
		return left->is_exact ? is_as_written(left, right) : is_as_written(right, left);
	return left->hertz <= right->hertz && left->hertz >= right->hertz;
}

static bool is_same_dimension(const struct gmon_unit *left, const struct gmon_unit *right)
{
	return gmon_counts_samples(left) ||
	       (is_dimension(left, right->dimension) && left->abbreviation == right->abbreviation);
}

/* A rate formatted for messages. */
struct rate_text {
	char text[32];
};

static struct rate_text format_rate(const struct gmon_unit *unit)
{
	struct rate_text rate = {"an unknown rate"};

	if (!gmon_counts_samples(unit))
		snprintf(rate.text, sizeof rate.text, "%.10g Hz", unit->hertz);
	return rate;
}

enum status unit_check(const char *path, const struct gmon_unit *unit, const struct gmon_unit *earlier,
                       struct error *error)
{
	if (!is_same_rate(unit, earlier))
		return status_fail(error, "%s: sampled at %s, earlier captures at %s: gmon.out has one rate", path,
		                   format_rate(unit).text, format_rate(earlier).text);
	if (!is_same_dimension(unit, earlier))
		return status_fail(error, "%s: samples in another dimension than in earlier files", path);
	return STATUS_OK;
}

void unit_refine(struct gmon_unit *unit, const struct gmon_unit *more)
{
	if (more->is_exact || unit->hertz <= 0)
		*unit = *more;
}
