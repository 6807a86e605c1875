/* SPDX-License-Identifier: MIT */
/* The parts of a split profile, by context or by core, as reports of their own. */
#include "base/text/text.h"
#include "report/report.h"

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

/* As "uart <context 1>": kind is "context" or "core". */
static void print_name(const struct report *report, const char *kind, uint32_t number, const char *name, bool is_rest)
{
	text_print(report->stream, name);
	if (is_rest)
		return;
	if (name[0] != '\0')
		fputc(' ', report->stream);
	if (number == CAPTURE_NO_CONTEXT)
		fprintf(report->stream, "<no %s>", kind);
	else
		fprintf(report->stream, "<%s %u>", kind, number);
}

void report_print_context_name(const struct report *report, uint32_t number, const char *name, bool is_rest)
{
	print_name(report, "context", number, name, is_rest);
}

void report_print_part_name(const struct report *report, size_t index)
{
	const struct profile_part *part = &report->profile->parts[index];

	print_name(report, report->options->by_core ? "core" : "context", part->number, part->name, part->is_rest);
}
