/* SPDX-License-Identifier: MIT */
/* The order and the numbers of the entries of the call graph, as in GNU gprof: of all entries, shown or not. */
#include "report/gprof/report.h"

#include <stdlib.h>
#include <string.h>

static struct gprof_entry gprof_node_entry(const struct profile *profile, size_t index)
{
	const struct profile_node *node = &profile->nodes[index];

	return (struct gprof_entry){
	        .index = index,
	        .name = node->name,
	        .calls = node->calls,
	        .time = node->wanted.self_time + node->wanted.child_time,
	};
}

static struct gprof_entry gprof_cycle_entry(const struct profile *profile, size_t index)
{
	const struct profile_cycle *cycle = &profile->cycles[index];

	return (struct gprof_entry){
	        .is_cycle = true,
	        .index = index,
	        .calls = cycle->calls,
	        .time = cycle->wanted.self_time + cycle->wanted.child_time,
	};
}

static int compare_entry_names(const struct gprof_entry *a, const struct gprof_entry *b)
{
	bool a_is_reserved = a->name[0] == '_', b_is_reserved = b->name[0] == '_';

	if (a_is_reserved != b_is_reserved)
		return a_is_reserved ? 1 : -1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Most time first; of equal times, cycles, then names without a leading underscore, then most calls. */
static int compare_gprof_entries(const void *left, const void *right)
{
	const struct gprof_entry *a = left, *b = right;

	if (a->time < b->time || a->time > b->time)
		return a->time > b->time ? -1 : 1;
	if (a->is_cycle != b->is_cycle)
		return a->is_cycle ? -1 : 1;
	int by_name = a->is_cycle ? 0 : compare_entry_names(a, b);
	return by_name != 0 ? by_name : (a->index > b->index) - (a->index < b->index);
}

static void number_gprof_entries(struct gprof_report *report)
{
	for (size_t i = 0; i < report->entry_count; i++) {
		const struct gprof_entry *entry = &report->entries[i];

		if (entry->is_cycle)
			report->cycle_number[entry->index] = i + 1;
		else
			report->node_number[entry->index] = i + 1;
	}
}

enum status gprof_order_entries(struct gprof_report *report, struct error *error)
{
	const struct profile *profile = report->profile;

	report->entries = calloc(profile->node_count + profile->cycle_count + 1, sizeof *report->entries);
	report->node_number = calloc(profile->node_count + 1, sizeof *report->node_number);
	report->cycle_number = calloc(profile->cycle_count + 1, sizeof *report->cycle_number);
	if (report->entries == NULL || report->node_number == NULL || report->cycle_number == NULL)
		return status_fail(error, "out of memory for a profile of %zu functions", profile->node_count);
	for (size_t i = 0; i < profile->node_count; i++)
		report->entries[report->entry_count++] = gprof_node_entry(profile, i);
	for (size_t i = 0; i < profile->cycle_count; i++)
		report->entries[report->entry_count++] = gprof_cycle_entry(profile, i);
	qsort(report->entries, report->entry_count, sizeof *report->entries, compare_gprof_entries);
	number_gprof_entries(report);
	return STATUS_OK;
}
