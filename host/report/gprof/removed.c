/* SPDX-License-Identifier: MIT */
/* The arcs that were removed to break cycles, after the call graph, as BSD's gprof lists those of its -C. */
#include "report/gprof/report.h"

#include <stdlib.h>

/* Most calls first, then as they were recorded. */
static int compare_arcs(const void *left, const void *right)
{
	const struct profile_arc *const *a = left, *const *b = right;

	if ((*a)->count != (*b)->count)
		return (*a)->count > (*b)->count ? -1 : 1;
	return ((*a)->sequence > (*b)->sequence) - ((*a)->sequence < (*b)->sequence);
}

static void print_arc(struct gprof_report *report, const struct profile_arc *arc)
{
	layout_count(&report->layout, arc->count, 10);
	layout_text(&report->layout, "/");
	layout_count(&report->layout, report->profile->nodes[arc->callee].calls, -10);
	layout_text(&report->layout, " ");
	gprof_print_name(report, arc->caller);
	layout_text(&report->layout, " -> ");
	gprof_print_name(report, arc->callee);
	layout_text(&report->layout, "\n");
}

static void print_heading(struct gprof_report *report)
{
	char text[120];

	snprintf(text, sizeof text, "\nArcs removed from the call graph, so that no cycle is larger than %zu:\n\n",
	         report->profile->cycle_max);
	layout_text(&report->layout, text);
	layout_text(&report->layout, "     calls/all of callee  caller -> callee\n");
}

enum status gprof_print_removed(struct gprof_report *report, struct error *error)
{
	const struct profile *profile = report->profile;

	if (profile->removed_count == 0)
		return STATUS_OK;
	const struct profile_arc **removed = calloc(profile->removed_count, sizeof(const struct profile_arc *));
	size_t count = 0;
	if (removed == NULL)
		return status_fail(error, "out of memory for %zu removed arcs", profile->removed_count);
	for (size_t i = 0; i < profile->arc_count; i++)
		if (profile->arcs[i].is_removed)
			removed[count++] = &profile->arcs[i];
	qsort(removed, count, sizeof(const struct profile_arc *), compare_arcs);
	print_heading(report);
	for (size_t i = 0; i < count; i++)
		print_arc(report, removed[i]);
	free(removed);
	return STATUS_OK;
}
