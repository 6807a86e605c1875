/* SPDX-License-Identifier: MIT */
/* The choice, order, numbers and names of the entries of the call graph. */
#include "base/search.h"
#include "base/text/text.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void report_print_name(const struct report *report, size_t node, size_t number)
{
	const struct profile_node *n = &report->profile->nodes[node];
	bool is_function = n->kind == PROFILE_FUNCTION;

	text_print(report->stream, is_function ? demangler_name(report->names, n->name) : n->name);
	if (n->cycle != PROFILE_NONE)
		fprintf(report->stream, " <cycle %zu>", n->cycle + 1);
	if (number > 0 && report->is_numbered)
		fprintf(report->stream, " [%zu]", number);
}

/* True if the function made a recorded call; arcs found only in the code do not count. */
static bool has_called(const struct profile *profile, size_t node)
{
	for (size_t i = profile->first_arc[node]; i < profile->first_arc[node + 1]; i++)
		if (profile->arcs[i].count > 0 || !profile->arcs[i].is_static)
			return true;
	return false;
}

/* Whether the node was sampled or called. */
static bool is_used(const struct profile *profile, size_t node)
{
	const struct profile_node *n = &profile->nodes[node];

	return n->self_time > 0 || n->calls > 0 || n->self_calls > 0 || n->child_time > 0 || has_called(profile, node);
}

/* False for rows that represent no code that could call or be called. */
static bool is_in_graph(const struct profile *profile, size_t node)
{
	enum profile_node_kind kind = profile->nodes[node].kind;

	return is_used(profile, node) && kind != PROFILE_BAREPROF && kind != PROFILE_OUTSIDE &&
	       kind != PROFILE_TABLE_FULL && kind != PROFILE_SECURE && kind != PROFILE_UNAVAILABLE;
}

/* A cycle may be known from the instructions only. */
static bool is_cycle_used(const struct profile *profile, const struct profile_cycle *cycle)
{
	for (size_t i = 0; i < cycle->member_count; i++)
		if (is_used(profile, cycle->members[i]))
			return true;
	return false;
}

/* Scales an entry to the part that filters leave; the relative error does not change. */
static struct report_entry filter_entry(struct report_entry entry, const struct profile_wanted *wanted)
{
	double whole = entry.self_time + entry.child_time;
	double left = whole > 0 ? (wanted->self_time + wanted->child_time) / whole : 0;

	entry.total_variance *= left * left;
	entry.self_time = wanted->self_time;
	entry.child_time = wanted->child_time;
	return entry;
}

struct report_entry report_entry_of_node(const struct profile *profile, size_t index)
{
	const struct profile_node *node = &profile->nodes[index];
	const struct report_entry entry = {
	        .index = index,
	        .self_time = node->self_time,
	        .child_time = node->child_time,
	        .total_variance = node->total_variance,
	        .is_lower_bound = node->is_lower_bound,
	        .calls = node->calls,
	        .order = node->order,
	        .name = node->name,
	};

	return profile->filters != NULL ? filter_entry(entry, &node->wanted) : entry;
}

static struct report_entry entry_of_cycle(const struct profile *profile, size_t index)
{
	const struct profile_cycle *cycle = &profile->cycles[index];
	const struct report_entry entry = {
	        .is_cycle = true,
	        .index = index,
	        .self_time = cycle->self_time,
	        .child_time = cycle->child_time,
	        .total_variance = cycle->total_variance,
	        .calls = cycle->calls,
	        .order = profile->nodes[cycle->members[0]].order,
	};

	return profile->filters != NULL ? filter_entry(entry, &cycle->wanted) : entry;
}

/* Orders entries of equal time: callers first if there is time at all; a cycle before its members; most calls first. */
static int compare_equal_times(const struct report_entry *a, const struct report_entry *b)
{
	if (a->rank > 0 && a->order != b->order)
		return compare_numbers(b->order, a->order);
	if (a->is_cycle != b->is_cycle)
		return a->is_cycle ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	int by_name = a->is_cycle ? 0 : strcmp(a->name, b->name);
	return by_name != 0 ? by_name : compare_numbers(a->index, b->index);
}

/* Most time first. */
static int compare_entry_ranks(const void *left, const void *right)
{
	const struct report_entry *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return compare_equal_times(a, b);
}

static void add_shown_entry(struct report *report, struct report_entry entry, bool is_of_top)
{
	const double whole = report->profile->total_time, time = entry.self_time + entry.child_time;

	if (!is_of_top || !report_is_large(report, time, report->graph_time)) {
		/* The time of a cycle belongs to its members. */
		report_hide(&report->hidden_entries, entry.is_cycle ? 0 : entry.self_time);
		return;
	}
	/* Sums of the same samples in different orders differ in their last bits, which must not decide the order. */
	entry.rank = whole > 0 ? (int64_t)llround(time / whole * 1e12) : 0;
	report->entries[report->entry_count++] = entry;
}

static void number_shown_entries(struct report *report)
{
	for (size_t i = 0; i < report->entry_count; i++) {
		const struct report_entry *entry = &report->entries[i];

		if (!entry->is_cycle)
			report->node_number[entry->index] = i + 1;
	}
}

static bool has_member_in(const struct profile_cycle *cycle, const bool *is_of_top)
{
	for (size_t i = 0; i < cycle->member_count; i++)
		if (is_of_top[cycle->members[i]])
			return true;
	return false;
}

/* is_of_top: by node, true if --top shows it. */
static void add_shown_entries(struct report *report, const bool *is_of_top)
{
	const struct profile *profile = report->profile;

	for (size_t i = 0; i < profile->node_count; i++)
		if (is_in_graph(profile, i) && profile->nodes[i].wanted.is_shown)
			add_shown_entry(report, report_entry_of_node(profile, i), is_of_top[i]);
	for (size_t i = 0; i < profile->cycle_count; i++)
		if (profile->cycles[i].wanted.is_shown && is_cycle_used(profile, &profile->cycles[i]))
			add_shown_entry(report, entry_of_cycle(profile, i),
			                has_member_in(&profile->cycles[i], is_of_top));
}

static enum status choose_top(const struct report *report, bool *is_of_top, struct error *error)
{
	size_t count;
	struct report_row *functions;

	if (report->options->top == 0) {
		memset(is_of_top, true, report->profile->node_count * sizeof *is_of_top);
		return STATUS_OK;
	}
	enum status status = report_list_functions(report, &functions, &count, error);
	for (size_t i = 0, rank = 0; i < count; i++)
		is_of_top[functions[i].node] =
		        report_is_of_top(report, &report->profile->nodes[functions[i].node], &rank);
	free(functions);
	return status;
}

enum status report_order_entries(struct report *report, struct error *error)
{
	const struct profile *profile = report->profile;
	bool *is_of_top = calloc(profile->node_count + 1, sizeof *is_of_top);

	report->entries = calloc(profile->node_count + profile->cycle_count + 1, sizeof *report->entries);
	report->node_number = calloc(profile->node_count + 1, sizeof *report->node_number);
	if (is_of_top == NULL || report->entries == NULL || report->node_number == NULL) {
		free(is_of_top);
		return status_fail(error, "out of memory for a report of %zu functions", profile->node_count);
	}
	enum status status = choose_top(report, is_of_top, error);
	if (status == STATUS_OK) {
		add_shown_entries(report, is_of_top);
		qsort(report->entries, report->entry_count, sizeof *report->entries, compare_entry_ranks);
		number_shown_entries(report);
	}
	free(is_of_top);
	return status;
}

void report_free_entries(struct report *report)
{
	free(report->entries);
	free(report->node_number);
}
