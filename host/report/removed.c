/* SPDX-License-Identifier: MIT */
/* The part of the report about arcs that were removed to break cycles, and their calls. */
#include "base/text/text.h"
#include "capture/count.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>

/* Most calls first; equal ones in the order of the arcs. */
static int compare_removed_calls(const void *left, const void *right)
{
	const struct profile_arc *a = *(const struct profile_arc *const *)left;
	const struct profile_arc *b = *(const struct profile_arc *const *)right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a > b) - (a < b);
}

static void print_removed_summary(const struct report *report)
{
	const struct profile *profile = report->profile;
	uint64_t calls = 0, removed_calls = 0;

	for (size_t i = 0; i < profile->arc_count; i++) {
		const struct profile_arc *arc = &profile->arcs[i];

		count_add(&calls, arc->count);
		count_add(&removed_calls, arc->is_removed ? arc->count : 0);
	}
	fprintf(report->stream,
	        ": %zu of %zu, with %" PRIu64 " of %" PRIu64 " calls, so that no cycle is larger than %zu\n\n",
	        profile->removed_count, profile->arc_count, removed_calls, calls, profile->cycle_max);
	text_begin(report->stream, report->colour, TEXT_BOLD);
	fprintf(report->stream, "%12s %11s  %s", "calls", "of callee %", "caller -> callee");
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static void print_removed_row(const struct report *report, const struct profile_arc *arc)
{
	double calls = (double)report->profile->nodes[arc->callee].calls;

	fprintf(report->stream, "%12" PRIu64 " %11.2f  ", arc->count, report_percent((double)arc->count, calls));
	report_print_name(report, arc->caller, report->node_number[arc->caller]);
	fputs(" -> ", report->stream);
	report_print_name(report, arc->callee, report->node_number[arc->callee]);
	if (arc->count > 0 && profile_sharing_calls(report->profile, arc->callee) == 0)
		fputs(", whose time is no longer passed to any caller", report->stream);
	fputc('\n', report->stream);
}

static enum status print_removed_arcs(const struct report *report, struct error *error)
{
	const struct profile *profile = report->profile;
	const struct profile_arc **arcs = calloc(profile->removed_count + 1, sizeof *arcs);
	size_t count = 0;

	if (arcs == NULL)
		return status_fail(error, "out of memory for %zu removed arcs", profile->removed_count);
	for (size_t i = 0; i < profile->arc_count; i++)
		if (profile->arcs[i].is_removed)
			arcs[count++] = &profile->arcs[i];
	qsort(arcs, count, sizeof *arcs, compare_removed_calls);
	print_removed_summary(report);
	for (size_t i = 0; i < count; i++)
		print_removed_row(report, arcs[i]);
	free(arcs);
	return STATUS_OK;
}

static enum status print_removed_part(const struct report *of_part, struct error *error)
{
	if (of_part->profile->removed_count == 0)
		return STATUS_OK;
	fprintf(of_part->stream, "\nRemoved arcs of ");
	part_names_print(of_part->stream, of_part->part);
	return print_removed_arcs(of_part, error);
}

enum status report_print_removed(const struct report *report, struct error *error)
{
	const struct profile *profile = report->profile;

	if (profile->cycle_max > 0 && profile->measurement != NULL)
		fprintf(report->stream, "\nRemoved arcs: none, measured total times need no cycles\n");
	else if (profile->cycle_max > 0 && profile->removed_count == 0)
		fprintf(report->stream, "\nRemoved arcs: none, no cycle is larger than %zu\n", profile->cycle_max);
	if (report->part_count == 0 && profile->removed_count > 0) {
		fprintf(report->stream, "\nRemoved arcs");
		return print_removed_arcs(report, error);
	}
	return report_print_parts(report, print_removed_part, error);
}
