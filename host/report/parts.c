/* SPDX-License-Identifier: MIT */
/* Reports of the parts of a split profile, by context or by core. */
#include "profile/split.h"
#include "report/report.h"

static enum status print_split_part(const struct report *report, const struct profile_part *part,
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
		status = print_split_part(report, &report->parts[i], print, error);
	return status;
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
