/* SPDX-License-Identifier: MIT */
/* The table of regions of memory: the share of each in all time. */
#include "base/text/text.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>

#define SHARE_WIDTH ((int)sizeof "100.00" - 1)

struct widths {
	int time, error, functions, bytes;
};

static const char *time_heading(const struct report *report)
{
	return report->profile->time_unit == PROFILE_SECONDS ? "time s" : "time spl";
}

static void print_headings(const struct report *report, const struct widths *widths)
{
	text_begin(report->stream, report->colour, TEXT_BOLD);
	fprintf(report->stream, " %*s  %*s  %*s  %*s  %*s  region", SHARE_WIDTH, "time %", widths->time,
	        time_heading(report), widths->error, report_error_heading(report), widths->functions, "functions",
	        widths->bytes, "bytes");
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static void print_region(const struct report *report, const struct widths *widths, const struct profile_region *region)
{
	char functions[24] = "", bytes[24] = "", error[32] = "";
	double time = region->time - (report->options->without_recorder ? region->recorder_time : 0);

	if (region->name != NULL || region->function_count > 0) {
		snprintf(functions, sizeof functions, "%zu", region->function_count);
		snprintf(bytes, sizeof bytes, "%" PRIu64, region->function_bytes);
	}
	if (region->variance > 0)
		snprintf(error, sizeof error, "%.*f", report->time_decimals, sqrt(region->variance));
	fprintf(report->stream, " %*.2f  %*.*f  %*s  %*s  %*s  ", SHARE_WIDTH, report_percent(time, report->whole_time),
	        widths->time, report->time_decimals, time, widths->error, error, widths->functions, functions,
	        widths->bytes, bytes);
	if (region->name == NULL) {
		fputs("<elsewhere>\n", report->stream);
		return;
	}
	text_print(report->stream, region->name);
	fprintf(report->stream, " 0x%08" PRIx64 "-0x%08" PRIx64 "\n", region->start, region->end);
}

static void widen(int *width, uint64_t count)
{
	int digits = snprintf(NULL, 0, "%" PRIu64, count);

	*width = digits > *width ? digits : *width;
}

/* The row for everything outside the regions appears only if it has time or a function. */
static bool is_row(const struct profile_region *region)
{
	return region->name != NULL || region->time > 0 || region->function_count > 0;
}

static bool are_several(const struct profile *profile)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->region_count; i++)
		count += profile->regions[i].name != NULL && profile->regions[i].time > 0;
	return count > 1;
}

void report_print_regions(const struct report *report)
{
	const struct profile *profile = report->profile;
	struct widths widths = {
	        .time = report_column_width(report->time_width, time_heading(report)),
	        .error = report_column_width(report->time_width, report_error_heading(report)),
	        .functions = (int)sizeof "functions" - 1,
	        .bytes = (int)sizeof "bytes" - 1,
	};

	if (profile->region_count == 0 || (!report->options->regions && !are_several(profile)))
		return;
	for (size_t i = 0; i < profile->region_count; i++) {
		widen(&widths.functions, profile->regions[i].function_count);
		widen(&widths.bytes, profile->regions[i].function_bytes);
	}
	fputs("\nRegions of memory: time spent in the code of each, number of functions, bytes of code\n\n",
	      report->stream);
	print_headings(report, &widths);
	for (size_t i = 0; i < profile->region_count; i++)
		if (is_row(&profile->regions[i]))
			print_region(report, &widths, &profile->regions[i]);
}
