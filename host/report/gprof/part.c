/* SPDX-License-Identifier: MIT */
/* Lines that the parts of GNU gprof's output share. */
#include "report/gprof/report.h"

#include <inttypes.h>

void gprof_begin_part(struct gprof_report *report)
{
	if (report->is_begun)
		layout_text(&report->layout, "\f\n");
	report->is_begun = true;
}

bool gprof_is_used(const struct gprof_report *report, double time, uint64_t calls)
{
	return report->options->show_unused || time > 0 || calls > 0;
}

/* The bytes of a bin, rounded down to whole units of two bytes; 0 without bins. */
static uint64_t bytes_of_bin(const struct gmon *gmon)
{
	if (gmon->histogram_count == 0 || gmon->histograms[0].bin_count == 0)
		return 0;
	struct gmon_scale scale = gmon_scale_of(&gmon->histograms[0]);
	return (uint64_t)scale.units_per_bin * scale.unit;
}

void gprof_print_granularity(struct gprof_report *report, double total, const char *unit, const char *nothing)
{
	char text[160];

	snprintf(text, sizeof text, "\ngranularity: each sample hit covers %" PRIu64 " byte(s)",
	         bytes_of_bin(report->gmon));
	layout_text(&report->layout, text);
	if (total > 0)
		snprintf(text, sizeof text, " for %.2f%% of %.2f %s\n\n", 100.0 / total, total / report->hertz, unit);
	else
		snprintf(text, sizeof text, " no time %s\n\n", nothing);
	layout_text(&report->layout, text);
}
