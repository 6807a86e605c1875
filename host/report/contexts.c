/* SPDX-License-Identifier: MIT */
/* The table of contexts: the share of each in all time, and the recorder's share in each. */
#include "base/text/text.h"
#include "report/report.h"

#include <inttypes.h>

struct widths {
	int share, time, switches, calls, recorder;
};

static const char *time_heading(const struct report *report)
{
	return report->profile->time_unit == PROFILE_SECONDS ? "time s" : "time spl";
}

static void print_headings(const struct report *report, const struct widths *widths)
{
	text_begin(report->stream, report->colour, TEXT_BOLD);
	fprintf(report->stream, " %*s  %*s  %*s  %*s  %*s  context", widths->share, "time %", widths->time,
	        time_heading(report), widths->switches, "switches", widths->calls, "calls", widths->recorder,
	        "recorder %");
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static void print_context(const struct report *report, const struct widths *widths,
                          const struct profile_context *context)
{
	char switches[24] = "-", calls[24] = "", recorder[24] = "-";
	double time = context->time - (report->options->without_recorder ? context->recorder_time : 0);

	if (context->switches != CAPTURE_UNKNOWN)
		snprintf(switches, sizeof switches, "%" PRIu64, context->switches);
	if (context->calls > 0)
		snprintf(calls, sizeof calls, "%" PRIu64, context->calls);
	if (profile_knows_recorder(report->profile) && context->time > 0)
		snprintf(recorder, sizeof recorder, "%.2f", report_percent(context->recorder_time, context->time));
	fprintf(report->stream, " %*.2f  %*.*f  %*s  %*s  %*s  ", widths->share,
	        report_percent(time, report->whole_time), widths->time, report->time_decimals, time, widths->switches,
	        switches, widths->calls, calls, widths->recorder, recorder);
	part_names_print_context(report->stream, context->number, context->name, context->is_rest);
	fputc('\n', report->stream);
}

/* An unknown count is a dash. */
static void widen(int *width, uint64_t count)
{
	int digits = count == CAPTURE_UNKNOWN ? 1 : snprintf(NULL, 0, "%" PRIu64, count);

	*width = digits > *width ? digits : *width;
}

void report_print_contexts(const struct report *report)
{
	const struct profile *profile = report->profile;
	struct widths widths = {
	        .share = (int)sizeof "100.00" - 1,
	        .time = report_column_width(report->time_width, time_heading(report)),
	        .switches = (int)sizeof "switches" - 1,
	        .calls = (int)sizeof "calls" - 1,
	        .recorder = (int)sizeof "recorder %" - 1,
	};

	/* Filters change times in unknown parts of each context. */
	if (profile->context_count == 0 || report->options->filters != NULL)
		return;
	for (size_t i = 0; i < profile->context_count; i++) {
		widen(&widths.switches, profile->contexts[i].switches);
		widen(&widths.calls, profile->contexts[i].calls);
	}
	fprintf(report->stream,
	        "\nContexts: how often each was switched to, the calls made in it, and the recorder's share "
	        "of its time\n\n");
	print_headings(report, &widths);
	for (size_t i = 0; i < profile->context_count; i++)
		print_context(report, &widths, &profile->contexts[i]);
}
