/* SPDX-License-Identifier: MIT */
/* The call graph in GNU gprof's layout, or BSD's: one entry per function and cycle, with callers above and callees
 * below. */
#include "report/gprof/report.h"

#include "capture/count.h"

#include <stdlib.h>

/* The explanation of the columns, which -b omits. GNU gprof has its own wording. */
static const char explanation[] =
        "\n"
        "Each entry is about the function on its numbered line: above are its callers, below is what\n"
        "it calls. Entries are sorted by total time.\n"
        "\n"
        "On the numbered line:\n"
        "  index     number of the entry, also behind each name; in parentheses if there is no entry\n"
        "  % time    share of the time of all functions that was spent in it and in what it calls\n"
        "  self      time in its own code\n"
        "  children  time of what it calls, as far as that was for it\n"
        "  called    calls by other functions, \"+\" calls by itself\n"
        "  name      the function, and the cycle that it is part of\n"
        "\n"
        "On a caller's line, what the function costs this caller; on a callee's line, what the callee\n"
        "costs the function:\n"
        "  self      its self time, shared in proportion to calls\n"
        "  children  its children's time, shared alike\n"
        "  called    calls over this arc, \"/\" all calls by others; recursion and calls within a\n"
        "            cycle have no \"/\" and no time\n"
        "\n"
        "<spontaneous> is a caller that was not recorded. Functions that call one another in a circle\n"
        "are a cycle, which has an entry of its own: its members, and with \"+\" the calls between them.\n";

/* A line above or below the primary line of an entry. Lines are sorted by kind, time, count and place. */
struct gprof_relative {
	enum { TO_ITSELF, WITHIN_CYCLE, TIMED } kind;
	uint32_t place;
	const struct profile_arc *arc;
	double time;
};

struct gprof_member {
	const struct profile_node *node;
	size_t place;
};

/* The call graph while it is printed; has room for the longest entry. */
struct gprof_graph {
	struct gprof_report *report;
	struct layout *layout;
	const struct profile *profile;
	struct gprof_relative *relatives;
	struct gprof_member *members;
	double total; /* the 100 % */
};

/* --- Cells. All numbers of the call graph are printed here. */

static int child_width(const struct gprof_graph *graph)
{
	return graph->report->options->traditional ? 11 : 7;
}

static void print_times(const struct gprof_graph *graph, double self_time, double child_time)
{
	layout_number(graph->layout, self_time / graph->report->hertz, 7, 2);
	layout_text(graph->layout, " ");
	layout_number(graph->layout, child_time / graph->report->hertz, child_width(graph), 2);
	layout_text(graph->layout, " ");
}

/* Prints "calls" or "calls+calls" of the entry, padded to the column. */
static void print_called_cell(const struct gprof_graph *graph, uint64_t calls, uint64_t internal_calls)
{
	layout_count(graph->layout, calls, 7);
	if (internal_calls == 0) {
		layout_spaces(graph->layout, 9);
		return;
	}
	layout_text(graph->layout, "+");
	layout_count(graph->layout, internal_calls, -7);
	layout_text(graph->layout, " ");
}

static void print_primary_cells(const struct gprof_graph *graph, size_t number, double self_time, double child_time)
{
	char index[32];

	snprintf(index, sizeof index, "[%zu]", number);
	gprof_print_index_cell(graph->report, index, -6);
	layout_text(graph->layout, " ");
	layout_number(graph->layout, 100 * (self_time + child_time) / graph->total, 5, 1);
	layout_text(graph->layout, " ");
	print_times(graph, self_time, child_time);
}

static void print_gprof_relative(const struct gprof_graph *graph, const struct gprof_relative *line, size_t named)
{
	const struct profile_arc *arc = line->arc;

	layout_spaces(graph->layout, 13);
	if (line->kind == TIMED && !arc->is_removed) {
		print_times(graph, arc->self_time, arc->child_time);
		layout_count(graph->layout, arc->count, 7);
		layout_text(graph->layout, "/");
		layout_count(graph->layout, profile_sharing_calls(graph->profile, arc->callee), -7);
		layout_spaces(graph->layout, 5);
	} else {
		layout_spaces(graph->layout, 9 + (size_t)child_width(graph));
		layout_count(graph->layout, arc->count, 7);
		layout_spaces(graph->layout, 13);
	}
	gprof_print_name(graph->report, named);
	layout_text(graph->layout, "\n");
}

/* --- Callers and callees. */

static struct gprof_relative relative_of(const struct profile *profile, const struct profile_arc *arc)
{
	size_t cycle = profile->nodes[arc->caller].cycle;
	bool is_internal = cycle != PROFILE_NONE && cycle == profile->nodes[arc->callee].cycle;

	return (struct gprof_relative){
	        .kind = arc->caller == arc->callee ? TO_ITSELF : (is_internal ? WITHIN_CYCLE : TIMED),
	        .place = arc->sequence,
	        .arc = arc,
	        .time = arc->self_time + arc->child_time,
	};
}

/* The smallest first; equal ones by place, the order in which arcs were recorded. */
static int compare_relative_weights(const struct gprof_relative *a, const struct gprof_relative *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->kind == TIMED && (a->time < b->time || a->time > b->time))
		return a->time < b->time ? -1 : 1;
	return (a->arc->count > b->arc->count) - (a->arc->count < b->arc->count);
}

static int compare_relative_places(const struct gprof_relative *a, const struct gprof_relative *b)
{
	return (a->place > b->place) - (a->place < b->place);
}

static int compare_parents(const void *left, const void *right)
{
	int weight = compare_relative_weights(left, right);

	return weight != 0 ? weight : compare_relative_places(left, right);
}

static int compare_children(const void *left, const void *right)
{
	int weight = compare_relative_weights(left, right);

	return weight != 0 ? -weight : compare_relative_places(left, right);
}

static void print_gprof_parents(const struct gprof_graph *graph, size_t node)
{
	const struct profile *profile = graph->profile;
	size_t first = profile->first_parent[node], count = profile->first_parent[node + 1] - first;

	for (size_t i = 0; i < count; i++)
		graph->relatives[i] = relative_of(profile, &profile->arcs[profile->parent_arcs[first + i]]);
	qsort(graph->relatives, count, sizeof *graph->relatives, compare_parents);
	if (count == 0) {
		layout_spaces(graph->layout, 42 + (size_t)child_width(graph));
		layout_text(graph->layout, "<spontaneous>\n");
	}
	for (size_t i = 0; i < count; i++)
		print_gprof_relative(graph, &graph->relatives[i], graph->relatives[i].arc->caller);
}

static void print_gprof_children(const struct gprof_graph *graph, size_t node)
{
	const struct profile *profile = graph->profile;
	size_t first = profile->first_arc[node], count = profile->first_arc[node + 1] - first;

	for (size_t i = 0; i < count; i++)
		graph->relatives[i] = relative_of(profile, &profile->arcs[first + i]);
	qsort(graph->relatives, count, sizeof *graph->relatives, compare_children);
	for (size_t i = 0; i < count; i++)
		print_gprof_relative(graph, &graph->relatives[i], graph->relatives[i].arc->callee);
}

static void print_gprof_node(const struct gprof_graph *graph, size_t number)
{
	size_t index = graph->report->entries[number - 1].index;
	const struct profile_node *node = &graph->profile->nodes[index];

	print_gprof_parents(graph, index);
	print_primary_cells(graph, number, node->wanted.self_time, node->wanted.child_time);
	if (node->calls == 0 && node->self_calls == 0)
		layout_spaces(graph->layout, 16);
	else
		print_called_cell(graph, node->calls - node->removed_calls, node->self_calls);
	gprof_print_name(graph->report, index);
	layout_text(graph->layout, "\n");
	print_gprof_children(graph, index);
}

/* --- Cycles. */

static double member_time(const struct gprof_member *member)
{
	return member->node->wanted.self_time + member->node->wanted.child_time;
}

/* Most time first, then most calls, then in the order of the cycle's chain. */
static int compare_cycle_members(const void *left, const void *right)
{
	const struct gprof_member *a = left, *b = right;
	double a_time = member_time(a), b_time = member_time(b);

	if (a_time < b_time || a_time > b_time)
		return a_time > b_time ? -1 : 1;
	uint64_t a_calls = profile_node_calls(a->node);
	uint64_t b_calls = profile_node_calls(b->node);
	if (a_calls != b_calls)
		return a_calls > b_calls ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

static void print_gprof_member(const struct gprof_graph *graph, const struct profile_node *node)
{
	layout_spaces(graph->layout, 13);
	print_times(graph, node->wanted.self_time, node->wanted.child_time);
	print_called_cell(graph, node->calls - node->removed_calls, node->self_calls);
	layout_spaces(graph->layout, 4);
	gprof_print_name(graph->report, (size_t)(node - graph->profile->nodes));
	layout_text(graph->layout, "\n");
}

static void print_gprof_cycle(const struct gprof_graph *graph, size_t number)
{
	size_t index = graph->report->entries[number - 1].index;
	const struct profile_cycle *cycle = &graph->profile->cycles[index];

	print_primary_cells(graph, number, cycle->wanted.self_time, cycle->wanted.child_time);
	print_called_cell(graph, cycle->calls, cycle->internal_calls);
	layout_text(graph->layout, "<cycle ");
	layout_count(graph->layout, index + 1, 0);
	layout_text(graph->layout, " as a whole>");
	gprof_print_number(graph->report, number, cycle->wanted.is_shown);
	layout_text(graph->layout, "\n");
	for (size_t i = 0; i < cycle->member_count; i++)
		graph->members[i] = (struct gprof_member){&graph->profile->nodes[cycle->members[i]], i};
	qsort(graph->members, cycle->member_count, sizeof *graph->members, compare_cycle_members);
	for (size_t i = 0; i < cycle->member_count; i++)
		print_gprof_member(graph, graph->members[i].node);
}

/* --- The whole call graph. */

/* Lines have no entries unless a function begins with them. */
static bool is_line(const struct profile *profile, size_t node)
{
	return node < profile->image->function_count && profile->image->functions[node].is_line;
}

static bool is_entry_shown(const struct gprof_graph *graph, const struct gprof_entry *entry)
{
	if (entry->is_cycle) {
		const struct profile_cycle *cycle = &graph->profile->cycles[entry->index];

		return cycle->wanted.is_shown &&
		       gprof_is_used(graph->report, entry->time, count_sum(cycle->calls, cycle->internal_calls));
	}
	const struct profile_node *node = &graph->profile->nodes[entry->index];
	return node->wanted.is_shown && !is_line(graph->profile, entry->index) &&
	       gprof_is_used(graph->report, entry->time, profile_node_calls(node));
}

static void print_gprof_graph_head(const struct gprof_graph *graph)
{
	struct gprof_report *report = graph->report;
	bool traditional = report->options->traditional;

	if (!traditional)
		layout_text(graph->layout, report->options->brief ? "\t\t\tCall graph\n\n"
		                                                  : "\t\t     Call graph (explained below)\n\n");
	else if (!report->options->brief)
		layout_text(graph->layout, "\n\n\ncall graph:\n");
	if (traditional && !report->options->brief)
		layout_text(&report->layout, explanation);
	gprof_print_granularity(report, graph->profile->wanted_time, "seconds", "propagated");
	if (traditional)
		layout_text(graph->layout, "                                  called/total       parents \n"
		                           "index  %time    self descendants  called+self    name    \tindex\n"
		                           "                                  called/total       children\n\n");
	else
		layout_text(graph->layout, "index % time    self  children    called     name\n");
}

static void print_gprof_entries(const struct gprof_graph *graph)
{
	const char *rule = graph->report->options->traditional ? "\n-----------------------------------------------\n\n"
	                                                       : "-----------------------------------------------\n";

	for (size_t number = 1; number <= graph->report->entry_count; number++) {
		const struct gprof_entry *entry = &graph->report->entries[number - 1];

		if (!is_entry_shown(graph, entry))
			continue;
		if (entry->is_cycle)
			print_gprof_cycle(graph, number);
		else
			print_gprof_node(graph, number);
		layout_text(graph->layout, rule);
	}
}

/* --- The arcs that were removed to break cycles, as BSD gprof lists them for -C. */

/* Most calls first, then in the order of recording. */
static int compare_removed(const void *left, const void *right)
{
	const struct profile_arc *const *a = left, *const *b = right;

	if ((*a)->count != (*b)->count)
		return (*a)->count > (*b)->count ? -1 : 1;
	return ((*a)->sequence > (*b)->sequence) - ((*a)->sequence < (*b)->sequence);
}

static void print_removed_arc(struct gprof_report *report, const struct profile_arc *arc)
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

static void print_removed_heading(struct gprof_report *report)
{
	char text[120];

	snprintf(text, sizeof text, "\nArcs removed from the call graph, so that no cycle is larger than %zu:\n\n",
	         report->profile->cycle_max);
	layout_text(&report->layout, text);
	layout_text(&report->layout, "     calls/all of callee  caller -> callee\n");
}

static enum status print_removed(struct gprof_report *report, struct error *error)
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
	qsort(removed, count, sizeof(const struct profile_arc *), compare_removed);
	print_removed_heading(report);
	for (size_t i = 0; i < count; i++)
		print_removed_arc(report, removed[i]);
	free(removed);
	return STATUS_OK;
}

enum status gprof_print_graph(struct gprof_report *report, struct error *error)
{
	const struct profile *profile = report->profile;
	struct gprof_graph graph = {
	        .report = report,
	        .layout = &report->layout,
	        .profile = profile,
	        .relatives = calloc(profile->arc_count + 1, sizeof(struct gprof_relative)),
	        .members = calloc(profile->node_count + 1, sizeof(struct gprof_member)),
	        .total = profile->wanted_time > 0 ? profile->wanted_time : 1,
	};
	bool ok = graph.relatives != NULL && graph.members != NULL;

	if (ok) {
		gprof_begin_part(report);
		print_gprof_graph_head(&graph);
		print_gprof_entries(&graph);
		if (!report->options->traditional && !report->options->brief)
			layout_text(&report->layout, explanation);
	}
	free(graph.relatives);
	free(graph.members);
	return ok ? print_removed(report, error)
	          : status_fail(error, "out of memory for a call graph of %zu arcs", profile->arc_count);
}
