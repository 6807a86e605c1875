/* SPDX-License-Identifier: MIT */
/* Headings, widths and percentages that several tables of the report share. */
#include "report/report.h"

#include <string.h>

double report_percent(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : 0.0;
}

int report_column_width(int values, const char *heading)
{
	int min = (int)strlen(heading);

	return values > min ? values : min;
}

const char *report_self_heading(const struct report *report)
{
	return report->profile->time_unit == PROFILE_SECONDS ? "self s" : "self spl";
}

const char *report_error_heading(const struct report *report)
{
	return profile_distances(report->profile) == CAPTURE_DISTANCES_FIXED ? "+/- min" : "+/-";
}
