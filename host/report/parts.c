/* SPDX-License-Identifier: MIT */
/* Reports of the parts of a split profile, by context or by core. */
#include "profile/split.h"
#include "report/report.h"

static enum status print_split_part(const struct report *report, const struct profile_part *part,
                                    enum status (*print)(const struct report *part_report, struct error *error),
                                    struct error *error)
{
	struct report part_report = *report;

	part_report.profile = part->profile;
	part_report.part = part;
	part_report.part_count = 0;
	part_report.entries = NULL;
	part_report.entry_count = 0;
	part_report.node_number = NULL;
	part_report.hidden_entries = (struct report_hidden){0};
	enum status status = report_order_entries(&part_report, error);
	if (status == STATUS_OK)
		status = print(&part_report, error);
	report_free_entries(&part_report);
	return status;
}

enum status report_print_parts(const struct report *report,
                               enum status (*print)(const struct report *part_report, struct error *error),
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
