/* SPDX-License-Identifier: MIT */
/* See format.h. */
#include "diff/formats/format.h"

#include "base/text/text.h"

#include <math.h>
#include <stdio.h>

#define DIGITS 5 /* digits of the largest time of a table */

static const struct {
	const char *name;
	double scale;
} units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};

static int decimals_for(double largest)
{
	int before_point = largest > 0 ? (int)floor(log10(largest)) + 1 : 1;
	int decimals = DIGITS - before_point;

	return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

struct format_unit format_unit_of(enum profile_time_unit time_unit, double largest)
{
	const size_t last = sizeof units / sizeof *units - 1;
	size_t unit = 0;

	if (time_unit == PROFILE_SAMPLES)
		return (struct format_unit){"samples", 1, decimals_for(largest)};
	/* A time that would be rounded to 1000 gets the larger unit. */
	while (unit < last && largest > 0 && largest * units[unit].scale < 0.999995)
		unit++;
	return (struct format_unit){units[unit].name, units[unit].scale, decimals_for(largest * units[unit].scale)};
}

static double larger_finite(double largest, double value)
{
	return isfinite(value) && value > largest ? value : largest;
}

static double largest_value(const struct comparison *comparison, enum compare_quantity quantity)
{
	double largest = 0;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const struct stats_change *values = &comparison->rows[i].changes[quantity].values;

		largest = larger_finite(larger_finite(largest, values->old), values->new);
	}
	return largest;
}

struct format_unit format_unit_of_rows(const struct comparison *comparison)
{
	double self = largest_value(comparison, COMPARE_SELF), total = largest_value(comparison, COMPARE_TOTAL);

	return format_unit_of(comparison->time_unit, larger_finite(self, total) / 10);
}

struct format_unit format_unit_of_calls(const struct comparison *comparison)
{
	return format_unit_of(comparison->time_unit, largest_value(comparison, COMPARE_PER_CALL_TIME) / 10);
}

const char *format_time(const struct format_unit *unit, double time, char text[FORMAT_SIZE])
{
	double min = pow(10, -unit->decimals), value = time * unit->scale;

	text[0] = '\0';
	if (isfinite(value) && value > 0 && value < min / 2)
		snprintf(text, FORMAT_SIZE, "<%.*f", unit->decimals, min);
	else if (isfinite(value))
		snprintf(text, FORMAT_SIZE, value < 1e15 ? "%.*f" : "%.*g", unit->decimals, value);
	return text;
}

const char *format_calls(double calls, char text[FORMAT_SIZE])
{
	text[0] = '\0';
	if (calls > 0 && calls < 0.0005)
		snprintf(text, FORMAT_SIZE, "<0.001");
	else if (calls > 0 && calls < 0.9995)
		snprintf(text, FORMAT_SIZE, "%.3f", calls);
	else if (isfinite(calls))
		snprintf(text, FORMAT_SIZE, calls < 1000 || calls >= 1e15 ? "%.4g" : "%.0f", calls);
	return text;
}

const char *format_quantity(const struct format_unit *unit, enum compare_quantity quantity, double value,
                            char text[FORMAT_SIZE])
{
	char number[FORMAT_SIZE];

	text[0] = '\0';
	if (!isfinite(value))
		return text;
	if (quantity == COMPARE_CALLS)
		return format_calls(value, text);
	if (quantity == COMPARE_SIZE)
		snprintf(text, FORMAT_SIZE, "%.30s bytes", text_format_count(profile_count_of(value), number));
	else if (quantity == COMPARE_SHARE)
		snprintf(text, FORMAT_SIZE, "%.2f %%", 100 * value);
	else
		snprintf(text, FORMAT_SIZE, "%.30s %s", format_time(unit, value, number), unit->name);
	return text;
}

#define FACTOR_MIN 9.995 /* larger ratios are shown as factors; it rounds to +900 % */

const char *format_ratio(double ratio, char text[FORMAT_SIZE])
{
	text[0] = '\0';
	if (isinf(ratio))
		snprintf(text, FORMAT_SIZE, "from 0");
	else if (fabs(ratio - 1) < 0.0005)
		snprintf(text, FORMAT_SIZE, ratio == 1 ? "0 %%" : "0.0 %%");
	else if (ratio >= FACTOR_MIN)
		snprintf(text, FORMAT_SIZE, ratio < 1e6 ? "x%.0f" : "x%.1e", ratio);
	else if (isfinite(ratio))
		snprintf(text, FORMAT_SIZE, "%+.*f %%", fabs(ratio - 1) < 0.9995 ? 1 : 0, 100 * (ratio - 1));
	return text;
}

/* Formats an interval whose upper bound is shown as a factor. The lower bound is shown as a factor, too, from 2 on. */
static const char *format_factors(const struct stats_interval *ratio, char text[FORMAT_SIZE])
{
	char low[16], high[16] = "";

	if (ratio->low >= 2)
		snprintf(low, sizeof low,
		         ratio->low < 9.95  ? "x%.1f"
		         : ratio->low < 1e6 ? "x%.0f"
		                            : "x%.1e",
		         ratio->low);
	else
		snprintf(low, sizeof low, "%+.0f %%", 100 * (ratio->low - 1));
	if (isfinite(ratio->high))
		snprintf(high, sizeof high, ratio->high < 1e6 ? " x%.0f" : " x%.1e", ratio->high);
	snprintf(text, FORMAT_SIZE, "[%s ..%s]", low, high);
	return text;
}

#define INTERVAL_DECIMALS_MAX 2

/* Whether a bound would be rounded to 0 although more digits would show that it is not 0. */
static bool is_rounded_to_zero(double bound, int decimals)
{
	return fabs(bound) < 0.5 * pow(10, -decimals) && fabs(bound) >= 0.5 * pow(10, -INTERVAL_DECIMALS_MAX);
}

/* Enough digits to distinguish the bounds from each other and from 0. */
static int decimals_of_interval(double low, double high)
{
	int decimals = high - low >= 6 ? 0 : high - low >= 0.6 ? 1 : INTERVAL_DECIMALS_MAX;

	while (is_rounded_to_zero(low, decimals) || is_rounded_to_zero(high, decimals))
		decimals++;
	return decimals;
}

const char *format_interval(const struct stats_interval *ratio, char text[FORMAT_SIZE])
{
	double low = 100 * (ratio->low - 1), high = 100 * (ratio->high - 1);
	int decimals = decimals_of_interval(low, high);

	text[0] = '\0';
	if (isnan(low) || isnan(high) || isinf(low) || low == high)
		return text;
	if (isinf(high) || ratio->high >= FACTOR_MIN)
		return format_factors(ratio, text);
	snprintf(text, FORMAT_SIZE, "[%+.*f .. %+.*f %%]", decimals, low, decimals, high);
	return text;
}

/* Unknown values are formatted as an empty text. */
static const char *text_or_unknown(const char *text)
{
	return text[0] == '\0' ? "unknown" : text;
}

const char *format_values(const struct comparison *comparison, enum compare_quantity quantity,
                          const struct stats_change *values, bool without_interval, char text[FORMAT_VALUES_SIZE])
{
	const struct format_unit unit =
	        format_unit_of(comparison->time_unit, larger_finite(larger_finite(0, values->old), values->new));
	char old[FORMAT_SIZE], new[FORMAT_SIZE], ratio[FORMAT_SIZE], interval[FORMAT_SIZE] = "";

	format_quantity(&unit, quantity, values->old, old);
	format_quantity(&unit, quantity, values->new, new);
	format_ratio(values->ratio, ratio);
	if (!without_interval)
		format_interval(&values->ratio_interval, interval);
	snprintf(text, FORMAT_VALUES_SIZE, "%s -> %s%s%s%s%s", text_or_unknown(old), text_or_unknown(new),
	         ratio[0] == '\0' ? "" : ", ", ratio, interval[0] == '\0' ? "" : " ", interval);
	return text;
}

const char *format_unit_of_work(const struct comparison *comparison)
{
	static const char *const texts[] = {
	        [COMPARE_PER_CALL] = "per call",
	        [COMPARE_PER_RUN] = "per run",
	        [COMPARE_PER_SECOND] = "per second",
	        [COMPARE_PER_SAMPLE] = "per sample",
	};

	return texts[comparison->unit];
}
