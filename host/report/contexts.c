/* SPDX-License-Identifier: MIT */
/* The table of contexts: the share of each in all time, and the recorder's share in each. */
#include "profile/split.h"
#include "report/report.h"

#include <inttypes.h>

enum { SHARE, TIME, SWITCHES, CALLS, RECORDER, COLUMN_COUNT };

static void fill_context_cells(const struct report *report, const struct profile_context *context,
                               char (*cells)[REPORT_CELL_SIZE])
{
	double time = context->time - (report->options->without_recorder ? context->recorder_time : 0);

	snprintf(cells[SHARE], REPORT_CELL_SIZE, "%.2f", report_percent(time, report->whole_time));
	snprintf(cells[TIME], REPORT_CELL_SIZE, "%.*f", report->time_decimals, time);
	snprintf(cells[SWITCHES], REPORT_CELL_SIZE, "-");
	if (context->switches != CAPTURE_UNKNOWN)
		snprintf(cells[SWITCHES], REPORT_CELL_SIZE, "%" PRIu64, context->switches);
	cells[CALLS][0] = '\0';
	if (context->calls > 0)
		snprintf(cells[CALLS], REPORT_CELL_SIZE, "%" PRIu64, context->calls);
	snprintf(cells[RECORDER], REPORT_CELL_SIZE, "-");
	if (profile_knows_recorder(report->profile) && context->time > 0)
		snprintf(cells[RECORDER], REPORT_CELL_SIZE, "%.2f",
		         report_percent(context->recorder_time, context->time));
}

void report_print_contexts(const struct report *report)
{
	const struct profile *profile = report->profile;
	struct report_column columns[COLUMN_COUNT] = {
	        {"time %", (int)sizeof "100.00" - 1},
	        {report_by_unit(report, "time s", "time spl"), report->time_width},
	        {"switches", 0},
	        {"calls", 0},
	        {"recorder %", 0},
	};
	char cells[COLUMN_COUNT][REPORT_CELL_SIZE];

	/* Filters change times in unknown parts of each context. */
	if (profile->context_count == 0 || report->options->filters != NULL)
		return;
	for (size_t i = 0; i < profile->context_count; i++) {
		fill_context_cells(report, &profile->contexts[i], cells);
		report_widen_columns(columns, COLUMN_COUNT, cells);
	}
	fprintf(report->stream,
	        "\nContexts: how often each was switched to, the calls made in it, and the recorder's share "
	        "of its time\n\n");
	report_print_headings(report, columns, COLUMN_COUNT, "context");
	for (size_t i = 0; i < profile->context_count; i++) {
		const struct profile_context *context = &profile->contexts[i];

		fill_context_cells(report, context, cells);
		report_print_cells(report, columns, COLUMN_COUNT, cells);
		part_names_print_context(report->stream, context->number, context->name, context->is_rest);
		fputc('\n', report->stream);
	}
}
