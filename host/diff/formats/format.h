/* SPDX-License-Identifier: MIT */
/* Numbers of a comparison as text: times in one unit for a whole table, changes, intervals. Private to formats/. */
#ifndef DIFF_FORMATS_FORMAT_H
#define DIFF_FORMATS_FORMAT_H

#include "diff/compare.h"
#include "diff/rules/rules.h"

/* Each function returns the text it was given, which is empty if the value is unknown. */
#define FORMAT_SIZE 48

/* The unit and precision of the times of a table. */
struct format_unit {
	const char *name; /* "ns", "us", "ms", "s" or "samples" */
	double scale;     /* units per second, or per sample */
	int decimals;
};

/* The unit that suits the largest of some times, with enough digits to show a ten thousandth of it. */
struct format_unit format_unit_of(enum profile_time_unit time_unit, double largest);
/* The unit for all functions of a comparison. It suits a tenth of the largest time, because most times are far
 * smaller. */
struct format_unit format_unit_of_rows(const struct comparison *comparison);
/* The unit for the functions' times per call. */
struct format_unit format_unit_of_calls(const struct comparison *comparison);

/* A time without its unit; "<0.001" if it is too small for the digits. */
const char *format_time(const struct format_unit *unit, double time, char text[FORMAT_SIZE]);
const char *format_calls(double calls, char text[FORMAT_SIZE]);
/* Any quantity with its unit: "2.940 us", "1,204 bytes", "12.30 %". */
const char *format_quantity(const struct format_unit *unit, enum compare_quantity quantity, double value,
                            char text[FORMAT_SIZE]);

/* "+12.3 %"; from a factor of ten, "x52"; "from 0". */
const char *format_ratio(double ratio, char text[FORMAT_SIZE]);
/* The interval of a ratio: "[+8 .. +15 %]", "[x8.2 .. x12]", "[-90 % ..]"; empty if it is a single point. */
const char *format_interval(const struct stats_interval *ratio, char text[FORMAT_SIZE]);

/* "2.9400 us -> 4.1200 us, +40.1 % [+38 .. +42 %]"; no interval for a point estimate, and "unknown" for unknown
 * values. */
#define FORMAT_VALUES_SIZE (5 * FORMAT_SIZE)
const char *format_values(const struct comparison *comparison, enum compare_quantity quantity,
                          const struct stats_change *values, bool without_interval, char text[FORMAT_VALUES_SIZE]);
/* "per call", "per run", "per second" or "per sample". */
const char *format_unit_of_work(const struct comparison *comparison);

#endif
