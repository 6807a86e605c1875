/* SPDX-License-Identifier: MIT */
/* The table of regions of memory: the share of each in all time. */
#include "profile/regions.h"
#include "base/text/text.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>

enum { SHARE, TIME, ERROR, FUNCTIONS, BYTES, COLUMN_COUNT };

static void fill_region_cells(const struct report *report, const struct profile_region *region,
                              char (*cells)[REPORT_CELL_SIZE])
{
	double time = region->time - (report->options->without_recorder ? region->recorder_time : 0);

	snprintf(cells[SHARE], REPORT_CELL_SIZE, "%.2f", report_percent(time, report->whole_time));
	snprintf(cells[TIME], REPORT_CELL_SIZE, "%.*f", report->time_decimals, time);
	cells[ERROR][0] = cells[FUNCTIONS][0] = cells[BYTES][0] = '\0';
	if (region->variance > 0)
		snprintf(cells[ERROR], REPORT_CELL_SIZE, "%.*f", report->time_decimals, sqrt(region->variance));
	if (region->name != NULL || region->function_count > 0) {
		snprintf(cells[FUNCTIONS], REPORT_CELL_SIZE, "%zu", region->function_count);
		snprintf(cells[BYTES], REPORT_CELL_SIZE, "%" PRIu64, region->function_bytes);
	}
}

void report_print_regions(const struct report *report)
{
	const struct profile *profile = report->profile;
	struct report_column columns[COLUMN_COUNT] = {
	        {"time %", (int)sizeof "100.00" - 1},
	        {report_by_unit(report, "time s", "time spl"), report->time_width},
	        {report_error_heading(report), report->time_width},
	        {"functions", 0},
	        {"bytes", 0},
	};
	char cells[COLUMN_COUNT][REPORT_CELL_SIZE];
	size_t with_time = 0;

	for (size_t i = 0; i < profile->region_count; i++) {
		with_time += profile->regions[i].name != NULL && profile->regions[i].time > 0;
		fill_region_cells(report, &profile->regions[i], cells);
		report_widen_columns(columns, COLUMN_COUNT, cells);
	}
	if (profile->region_count == 0 || (!report->options->regions && with_time < 2))
		return;
	fputs("\nRegions of memory: time spent in the code of each, number of functions, bytes of code\n\n",
	      report->stream);
	report_print_headings(report, columns, COLUMN_COUNT, "region");
	for (size_t i = 0; i < profile->region_count; i++) {
		const struct profile_region *region = &profile->regions[i];

		/* The time outside all regions is a row only if it is not 0, or a function is there. */
		if (region->name == NULL && region->time <= 0 && region->function_count == 0)
			continue;
		fill_region_cells(report, region, cells);
		report_print_cells(report, columns, COLUMN_COUNT, cells);
		if (region->name == NULL) {
			fputs("<elsewhere>\n", report->stream);
		} else {
			text_print(report->stream, region->name);
			fprintf(report->stream, " 0x%08" PRIx64 "-0x%08" PRIx64 "\n", region->start, region->end);
		}
	}
}
