/* SPDX-License-Identifier: MIT */
/* The call graph: one entry per function and cycle, with callers above and callees below. */
#include "base/text/text.h"
#include "capture/count.h"
#include "profile/measurement.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Costs that differ from the average by less than this part of the average get no remark. */
#define SMALL_DIFFERENCE 0.05

/* A line above or below the primary line of an entry. */
struct relative {
	size_t node;
	double self_time, child_time;
	bool is_self_bound, is_child_bound; /* the times are lower bounds */
	uint64_t count;
	uint64_t whole;  /* the calls that count is part of */
	bool is_part;    /* count is shown as a part of whole */
	bool is_unknown; /* the count is unknown: the calls were seen only on stacks */
	bool is_timed;   /* false for recursion, arcs within a cycle and removed arcs: they carry no time */
	const struct profile_arc *arc; /* NULL if the line represents several arcs or none */
};

/* The callers or callees of one entry; reused for all entries, so it has room for the longest. */
struct relatives {
	struct relative *items;
	size_t count;
};

/* Whether an arc's part of a time can be a lower bound: not if it is the whole time already. */
static bool may_be_more(double part, double whole)
{
	return part < whole * (1 - 1e-9);
}

static void add_arc_relative(struct relatives *relatives, const struct profile *profile, const struct profile_arc *arc,
                             size_t shown)
{
	const struct profile_node *callee = &profile->nodes[arc->callee];
	bool timed = profile_arc_is_timed(profile, arc);
	bool is_lower_bound = profile_measured_arc(profile, arc)->is_lower_bound;

	relatives->items[relatives->count++] = (struct relative){
	        .node = shown,
	        .self_time = arc->self_time,
	        .child_time = arc->child_time,
	        .is_self_bound = is_lower_bound && may_be_more(arc->self_time, callee->self_time),
	        .is_child_bound =
	                is_lower_bound && (callee->is_lower_bound || may_be_more(arc->child_time, callee->child_time)),
	        .count = arc->count,
	        .whole = timed ? profile_sharing_calls(profile, arc->callee) : 0,
	        .is_part = timed,
	        .is_unknown = !profile_knows_calls(profile, arc->count),
	        .is_timed = timed,
	        .arc = arc,
	};
}

static void collect_parents(struct relatives *relatives, const struct profile *profile, size_t node)
{
	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[profile->parent_arcs[i]];

		add_arc_relative(relatives, profile, arc, arc->caller);
	}
}

static void collect_children(struct relatives *relatives, const struct profile *profile, size_t node)
{
	for (size_t i = profile->first_arc[node]; i < profile->first_arc[node + 1]; i++)
		add_arc_relative(relatives, profile, &profile->arcs[i], profile->arcs[i].callee);
}

static int compare_relative_nodes(const void *left, const void *right)
{
	const struct relative *a = left, *b = right;

	return (a->node > b->node) - (a->node < b->node);
}

/* Members of a cycle share callers and callees: merges each into one line with the sums. Drops lines in the cycle. */
static void merge_outside(struct relatives *relatives)
{
	size_t kept = 0;

	qsort(relatives->items, relatives->count, sizeof *relatives->items, compare_relative_nodes);
	for (size_t i = 0; i < relatives->count; i++) {
		struct relative *line = &relatives->items[i];

		if (!line->is_timed)
			continue;
		struct relative *last = kept > 0 ? &relatives->items[kept - 1] : NULL;
		if (last != NULL && last->node == line->node) {
			last->self_time += line->self_time;
			last->child_time += line->child_time;
			count_add(&last->count, line->count);
			last->is_unknown &= line->is_unknown;
			last->arc = NULL;
		} else {
			relatives->items[kept++] = *line;
		}
	}
	relatives->count = kept;
}

/* In ascending order of time, then calls, then place; lines without time come first. */
static int compare_relative_times(const void *left, const void *right)
{
	const struct relative *a = left, *b = right;
	double a_time = a->self_time + a->child_time, b_time = b->self_time + b->child_time;

	if (a->is_timed != b->is_timed)
		return a->is_timed ? 1 : -1;
	if (a_time < b_time || a_time > b_time)
		return a_time < b_time ? -1 : 1;
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	return (a->node < b->node) - (a->node > b->node);
}

static void sort_relatives(struct relatives *relatives)
{
	qsort(relatives->items, relatives->count, sizeof *relatives->items, compare_relative_times);
}

/* --- Columns, as wide as needed by this call graph. */

struct widths {
	int index, share, self, children, error, called;
};

static const char *error_heading(const struct report *report)
{
	return profile_distances(report->profile) == CAPTURE_DISTANCES_FIXED ? "total +/- min" : "total +/-";
}

/* Each width but the first includes the gap before the column. */
static struct widths measure_graph_widths(const struct report *report)
{
	const int gap = 2;
	int time = report->time_width;
	int bound = time + report->bound_width;
	int index = snprintf(NULL, 0, "[%zu]", report->entry_count);

	return (struct widths){
	        .index = report_column_width(index, "index"),
	        .share = gap + (int)strlen("total %"),
	        .self = gap + report_column_width(bound, report_by_unit(report, "self s", "self spl")),
	        .children = gap + report_column_width(bound, report_by_unit(report, "children s", "child spl")),
	        .error = report->profile->has_total_variance ? gap + report_column_width(time, error_heading(report))
	                                                     : 0,
	        .called = gap + report_column_width(2 * report->calls_width + 1, "called"),
	};
}

/* One call graph while it is printed. */
struct graph {
	const struct report *report;
	struct widths widths;
	struct relatives relatives;
};

/* Aligns the last digits of lower bounds and other numbers. */
static void print_graph_number(const struct graph *graph, int width, bool is_lower_bound, int decimals, double number)
{
	char cell[48];

	snprintf(cell, sizeof cell, "%s%.*f", is_lower_bound ? REPORT_LOWER_BOUND : "", decimals, number);
	fprintf(graph->report->stream, "%*s", width, cell);
}

static void print_graph_time(const struct graph *graph, int width, bool is_timed_line, bool is_lower_bound, double time)
{
	if (is_timed_line)
		print_graph_number(graph, width, is_lower_bound, graph->report->time_decimals, time);
	else
		fprintf(graph->report->stream, "%*s", width, "");
}

/* Prints the error of self and children together. */
static void print_graph_error(const struct graph *graph, const struct report_entry *entry)
{
	if (graph->widths.error > 0)
		print_graph_time(graph, graph->widths.error, entry->total_variance > 0 && !entry->is_lower_bound, false,
		                 sqrt(entry->total_variance));
}

/* The cost of an arc's calls, relative to the average over all callers; 1 if that is unknown. */
static double relative_cost(const struct profile *profile, const struct profile_arc *arc)
{
	const struct profile_node *callee = &profile->nodes[arc->callee];
	double calls = (double)profile_sharing_calls(profile, arc->callee);
	double average = calls > 0 ? profile_node_total(callee) * ((double)arc->count / calls) : 0;

	return average > 0 ? (arc->self_time + arc->child_time) / average : 1;
}

static void print_relative_cost(const struct report *report, const struct profile_arc *arc)
{
	const struct profile_measured_arc *measured = profile_measured_arc(report->profile, arc);
	double cost = relative_cost(report->profile, arc);
	bool is_bound = measured->is_lower_bound || report->profile->nodes[arc->callee].is_lower_bound;

	/* Filters leave only parts of times. */
	if (report->profile->filters == NULL && !is_bound && measured->differs_from_estimate &&
	    fabs(cost - 1) >= SMALL_DIFFERENCE)
		fprintf(report->stream, " (costs %.*f times its average here)", cost < 0.1 ? 3 : 1, cost);
}

/* Notes how the callee is reached if not by a direct call, and whether the arc was removed. */
static void print_arc_remarks(const struct report *report, const struct profile_arc *arc)
{
	if (arc->via != NULL) {
		fprintf(report->stream, " via ");
		text_print(report->stream, demangler_name(report->names, arc->via));
	} else if (arc->is_indirect) {
		fprintf(report->stream, " (indirect)");
	}
	if (arc->is_removed)
		fprintf(report->stream, " (removed)");
	print_relative_cost(report, arc);
}

static void print_relative_line(const struct graph *graph, const struct relative *line)
{
	const struct report *report = graph->report;
	const struct widths *widths = &graph->widths;
	char called[48] = "";

	if (line->is_part && !line->is_unknown)
		snprintf(called, sizeof called, "%" PRIu64 "/%" PRIu64, line->count, line->whole);
	else if (!line->is_unknown)
		snprintf(called, sizeof called, "%" PRIu64, line->count);
	fprintf(report->stream, "%*s", widths->index + widths->share, "");
	print_graph_time(graph, widths->self, line->is_timed, line->is_self_bound, line->self_time);
	print_graph_time(graph, widths->children, line->is_timed, line->is_child_bound, line->child_time);
	fprintf(report->stream, "%*s      ", widths->error + widths->called, called);
	report_print_name(report, line->node, report->node_number[line->node]);
	if (line->arc != NULL)
		print_arc_remarks(report, line->arc);
	fputc('\n', report->stream);
}

/* self: the node of the entry, which is spontaneous if its only caller is itself; PROFILE_NONE for a cycle. */
static void print_parent_lines(struct graph *graph, size_t self)
{
	struct relatives *parents = &graph->relatives;
	const struct widths *widths = &graph->widths;
	bool called_by_others = false;

	sort_relatives(parents);
	for (size_t i = 0; i < parents->count; i++)
		called_by_others = called_by_others || parents->items[i].node != self;
	if (!called_by_others)
		fprintf(graph->report->stream, "%*s      <spontaneous>\n",
		        widths->index + widths->share + widths->self + widths->children + widths->error +
		                widths->called,
		        "");
	for (size_t i = 0; i < parents->count; i++)
		print_relative_line(graph, &parents->items[i]);
}

static void print_child_lines(struct graph *graph)
{
	struct relatives *children = &graph->relatives;

	sort_relatives(children);
	for (size_t i = children->count; i > 0; i--)
		print_relative_line(graph, &children->items[i - 1]);
}

/* Formats the calls of the primary line: calls from outside (for a member of a cycle, from outside the cycle) and
 * recursive calls. */
static void format_called(char *called, size_t size, const struct report *report, const struct report_entry *entry,
                          uint64_t outside, uint64_t recursion)
{
	bool is_member = !entry->is_cycle && report->profile->nodes[entry->index].cycle != PROFILE_NONE;

	if (recursion > 0)
		snprintf(called, size, "%" PRIu64 "+%" PRIu64, outside, recursion);
	else if (outside > 0 || is_member)
		snprintf(called, size, "%" PRIu64, outside);
}

/* Prints the share by gprof's assumption if the measured time of the function differs from it. */
static void print_estimate(const struct report *report, const struct report_entry *entry)
{
	const struct profile_node *node = &report->profile->nodes[entry->index];

	if (!entry->is_cycle && node->differs_from_estimate && report->profile->filters == NULL)
		fprintf(report->stream, " (%.2f %% by average costs%s)",
		        report_percent(node->self_time + node->estimated_child_time, report->graph_time),
		        node->was_in_cycle ? ", without recursive calls" : "");
}

static void print_primary_line(const struct graph *graph, size_t number, uint64_t outside, uint64_t recursion)
{
	const struct report *report = graph->report;
	const struct widths *widths = &graph->widths;
	const struct report_entry *entry = &report->entries[number - 1];
	bool is_self_bound =
	        entry->is_lower_bound && may_be_more(entry->self_time, report->profile->nodes[entry->index].self_time);
	char index[24], called[48] = "";

	snprintf(index, sizeof index, "[%zu]", number);
	format_called(called, sizeof called, report, entry, outside, recursion);
	text_begin(report->stream, report->colour, TEXT_BOLD);
	fprintf(report->stream, "%-*s", widths->index, index);
	print_graph_number(graph, widths->share, entry->is_lower_bound, 2,
	                   report_percent(entry->self_time + entry->child_time, report->graph_time));
	print_graph_time(graph, widths->self, true, is_self_bound, entry->self_time);
	print_graph_time(graph, widths->children, true, entry->is_lower_bound, entry->child_time);
	print_graph_error(graph, entry);
	fprintf(report->stream, "%*s  ", widths->called, called);
	if (entry->is_cycle)
		fprintf(report->stream, "<cycle %zu as a whole> [%zu]", entry->index + 1, number);
	else
		report_print_name(report, entry->index, number);
	print_estimate(report, entry);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

/* Calls to a function by other functions of its cycle or, if not within_cycle, by functions outside the cycle and by
 * members whose arcs were removed to break it. */
static uint64_t calls_by_others(const struct profile *profile, size_t node, bool within_cycle)
{
	uint64_t calls = 0;

	for (size_t i = profile->first_parent[node]; i < profile->first_parent[node + 1]; i++) {
		const struct profile_arc *arc = &profile->arcs[profile->parent_arcs[i]];
		bool is_outside = arc->is_removed || profile_arc_is_timed(profile, arc);

		if (arc->caller != node && is_outside != within_cycle)
			count_add(&calls, arc->count);
	}
	return calls;
}

static void print_graph_node(struct graph *graph, size_t number)
{
	const struct report *report = graph->report;
	struct relatives *relatives = &graph->relatives;
	const struct profile *profile = report->profile;
	size_t node = report->entries[number - 1].index;

	relatives->count = 0;
	collect_parents(relatives, profile, node);
	print_parent_lines(graph, node);
	print_primary_line(graph, number, calls_by_others(profile, node, false), profile->nodes[node].self_calls);
	relatives->count = 0;
	collect_children(relatives, profile, node);
	print_child_lines(graph);
}

static void collect_members(struct relatives *relatives, const struct profile *profile,
                            const struct profile_cycle *cycle)
{
	for (size_t i = 0; i < cycle->member_count; i++) {
		const struct profile_node *member = &profile->nodes[cycle->members[i]];
		const struct report_entry entry = report_entry_of_node(profile, cycle->members[i]);

		relatives->items[relatives->count++] = (struct relative){
		        .node = cycle->members[i],
		        .self_time = entry.self_time,
		        .child_time = entry.child_time,
		        .count = count_sum(member->self_calls, calls_by_others(profile, cycle->members[i], true)),
		        .is_timed = true,
		};
	}
}

static void print_graph_cycle(struct graph *graph, size_t number)
{
	const struct report *report = graph->report;
	struct relatives *relatives = &graph->relatives;
	const struct profile *profile = report->profile;
	const struct profile_cycle *cycle = &profile->cycles[report->entries[number - 1].index];

	relatives->count = 0;
	for (size_t i = 0; i < cycle->member_count; i++)
		collect_parents(relatives, profile, cycle->members[i]);
	merge_outside(relatives);
	print_parent_lines(graph, PROFILE_NONE);
	print_primary_line(graph, number, cycle->calls, cycle->internal_calls);
	relatives->count = 0;
	collect_members(relatives, profile, cycle);
	print_child_lines(graph);
	relatives->count = 0;
	for (size_t i = 0; i < cycle->member_count; i++)
		collect_children(relatives, profile, cycle->members[i]);
	merge_outside(relatives);
	print_child_lines(graph);
}

static void print_graph_headings(const struct graph *graph)
{
	const struct report *report = graph->report;
	const struct widths *widths = &graph->widths;

	text_begin(report->stream, report->colour, TEXT_BOLD);
	fprintf(report->stream, "%-*s%*s%*s%*s%*s%*s  %s", widths->index, "index", widths->share, "total %",
	        widths->self, report_by_unit(report, "self s", "self spl"), widths->children,
	        report_by_unit(report, "children s", "child spl"), widths->error,
	        widths->error > 0 ? error_heading(report) : "", widths->called, "called", "name");
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static void print_entry_separator(const struct report *report)
{
	text_begin(report->stream, report->colour, TEXT_DIM);
	for (int i = 0; i < 78; i++)
		fputc('-', report->stream);
	text_end(report->stream, report->colour);
	fputc('\n', report->stream);
}

static enum status print_graph_entries(const struct report *report, struct error *error)
{
	struct graph graph = {.report = report, .widths = measure_graph_widths(report)};

	graph.relatives.items =
	        calloc(report->profile->arc_count + report->profile->node_count + 1, sizeof(struct relative));
	if (graph.relatives.items == NULL)
		return status_fail(error, "out of memory for a report of %zu arcs", report->profile->arc_count);
	fprintf(report->stream, ": callers above each function, callees below%s%s%s\n\n",
	        report->profile->measurement != NULL ? "; total times are measured" : "",
	        report->bound_width > 0 ? "; " REPORT_LOWER_BOUND ": a lower bound, unknown callers may add more" : "",
	        report->options->static_calls ? "; 0 calls: found in the code, not recorded" : "");
	print_graph_headings(&graph);
	for (size_t number = 1; number <= report->entry_count; number++) {
		if (report->entries[number - 1].is_cycle)
			print_graph_cycle(&graph, number);
		else
			print_graph_node(&graph, number);
		print_entry_separator(report);
	}
	report_print_hidden(report, &report->hidden_entries, report->entry_count + report->hidden_entries.count,
	                    "entries", NULL);
	free(graph.relatives.items);
	return STATUS_OK;
}

bool report_has_calls(const struct profile *profile)
{
	for (size_t i = 0; i < profile->arc_count; i++)
		if (profile->arcs[i].count > 0)
			return true;
	return false;
}

bool report_has_graph(const struct profile *profile)
{
	return profile->measurement != NULL || report_has_calls(profile);
}

/* Without calls, the flat profile already shows everything. */
static enum status print_graph_part(const struct report *of_part, struct error *error)
{
	if (of_part->entry_count == 0)
		return STATUS_OK;
	fprintf(of_part->stream, "\nCall graph of ");
	part_names_print(of_part->stream, of_part->part);
	if (report_has_graph(of_part->profile))
		return print_graph_entries(of_part, error);
	fprintf(of_part->stream, ": no calls\n");
	return STATUS_OK;
}

enum status report_print_graph(const struct report *report, struct error *error)
{
	if (report->part_count > 0)
		return report_print_parts(report, print_graph_part, error);
	fprintf(report->stream, "\nCall graph");
	return print_graph_entries(report, error);
}
