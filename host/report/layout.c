/* SPDX-License-Identifier: MIT */
/* Columns, headings and percentages that several tables of the report share. */
#include "base/text/text.h"
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

const char *report_by_unit(const struct report *report, const char *seconds, const char *samples)
{
	return report->profile->time_unit == PROFILE_SECONDS ? seconds : samples;
}

const char *report_error_heading(const struct report *report)
{
	return profile_distances(report->profile) == CAPTURE_DISTANCES_FIXED ? "+/- min" : "+/-";
}

void report_widen_columns(struct report_column *columns, size_t count, char (*cells)[REPORT_CELL_SIZE])
{
	for (size_t i = 0; i < count; i++)
		columns[i].width = report_column_width(columns[i].width, cells[i]);
}

void report_print_cells(const struct report *report, const struct report_column *columns, size_t count,
                        char (*cells)[REPORT_CELL_SIZE])
{
	for (size_t i = 0; i < count; i++)
		fprintf(report->stream, " %*s ", report_column_width(columns[i].width, columns[i].heading), cells[i]);
	fputc(' ', report->stream);
}

void report_print_headings(const struct report *report, const struct report_column *columns, size_t count,
                           const char *last)
{
	text_begin(report->stream, report->colour, TEXT_BOLD);
	for (size_t i = 0; i < count; i++)
		fprintf(report->stream, " %*s ", columns[i].width, columns[i].heading);
	fprintf(report->stream, " %s", last);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}
