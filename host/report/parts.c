/* SPDX-License-Identifier: MIT */
/* Reports of the parts of a split profile, by context or by core. */
#include "base/text/text.h"
#include "report/report.h"

static enum status print_part(const struct report *report, const struct profile_part *part,
                              enum status (*print)(const struct report *of_part, struct error *error),
                              struct error *error)
{
	struct report of_part = *report;

	of_part.profile = part->profile;
	of_part.part = part;
	of_part.part_count = 0;
	of_part.entries = NULL;
	of_part.entry_count = 0;
	of_part.node_number = NULL;
	of_part.hidden_entries = (struct report_hidden){0};
	enum status status = report_order_entries(&of_part, error);
	if (status == STATUS_OK)
		status = print(&of_part, error);
	report_free_entries(&of_part);
	return status;
}

enum status report_print_parts(const struct report *report,
                               enum status (*print)(const struct report *of_part, struct error *error),
                               struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < report->part_count; i++)
		status = print_part(report, &report->parts[i], print, error);
	return status;
}

void report_print_part_name(const struct report *report, const char *kind, uint32_t number, const char *name,
                            bool is_rest)
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

const char *report_split_text(const struct report *report)
{
	bool by_core = false, by_context = false;

	for (size_t i = 0; i < report->part_count; i++) {
		by_core |= report->parts[i].of_core;
		by_context |= report->parts[i].of_context;
	}
	return by_core && by_context ? " by context and core" : by_core ? " by core" : by_context ? " by context" : "";
}

void report_print_own_name(const struct report *of_part)
{
	const struct profile_part *part = of_part->part;

	report_print_part_name(of_part, part->of_context ? "context" : "core",
	                       part->of_context ? part->number : part->core, part->name, part->is_rest);
}
