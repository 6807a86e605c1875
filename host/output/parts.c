/* SPDX-License-Identifier: MIT */
/* What a report needs to show the parts of a profile, by context or by core. */
#include "output/report.h"
#include "text/text.h"

enum status report_of_part(const struct report *report, size_t part, struct report *made, struct error *error)
{
	*made = (struct report){
	        .profile = report->profile->parts[part].profile,
	        .options = report->options,
	        .stream = report->stream,
	        .names = report->names,
	        .colour = report->colour,
	        .whole_time = report->whole_time,
	        .graph_time = report->graph_time,
	        .time_decimals = report->time_decimals,
	        .time_width = report->time_width,
	        .calls_width = report->calls_width,
	        .is_part = true,
	        .is_numbered = report->is_numbered,
	};
	return report_order_entries(made, error);
}

void report_print_part_name(const struct report *report, size_t index)
{
	const struct profile_part *part = &report->profile->parts[index];
	text_print(report->stream, part->name);
	if (part->is_rest)
		return;
	if (part->name[0] != '\0')
		fputc(' ', report->stream);
	if (report->options->by_core)
		fprintf(report->stream, "<core %u>", part->number);
	else if (part->number == CAPTURE_NO_CONTEXT)
		fprintf(report->stream, "<no context>");
	else
		fprintf(report->stream, "<context %u>", part->number);
}
