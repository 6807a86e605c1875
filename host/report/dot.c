/* SPDX-License-Identifier: MIT */
/* The call graph for Graphviz. A function is coloured by its share of the time. The width of an arc shows the time that
 * its callee spends for its caller. Functions and arcs with little time are omitted. */
#include "base/text/escape.h"
#include "base/text/text.h"
#include "profile/measurement.h"
#include "report/output.h"
#include "report/views.h"

#include <math.h>
#include <stdlib.h>

/* Functions and arcs with a smaller share of all time are omitted; for functions, the total time counts. */
#define NODE_MIN 0.005
#define ARC_MIN  0.001

#define ARC_WIDTH_MAX  6.0 /* in points */
#define ARC_WEIGHT_MAX 100 /* Graphviz draws heavier arcs shorter and straighter */

struct dot {
	const struct profile *profile;
	struct demangler *names;
	FILE *stream;
	bool *is_shown; /* by node */
	/* The functions and arcs that are left out, and the self time of these functions. */
	size_t hidden_nodes, hidden_arcs;
	double hidden_time;
};

/* In a label, which is a quoted string, a backslash begins an escape and & an entity (The DOT Language; escString). */
static const struct escape label_escapes[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'&', "&amp;"}, {'\0', NULL}};

static void print_dot_label(const struct dot *dot, const char *text)
{
	escape_print(dot->stream, text, label_escapes, "\\\\x");
}

/* The share of a time in all time; 0 if there is none. */
static double part_of_all_time(const struct dot *dot, double time)
{
	return dot->profile->total_time > 0 ? time / dot->profile->total_time : 0;
}

/* --- Choice. */

/* True also for functions that were neither sampled nor called, but called others: they have child time. */
static bool has_time_or_calls(const struct profile_node *node)
{
	return profile_node_total(node) > 0 || profile_node_calls(node) > 0;
}

/* Without samples all functions are shown. */
static bool is_large(const struct dot *dot, double time, double min)
{
	return dot->profile->total_time <= 0 || part_of_all_time(dot, time) >= min;
}

static void choose_dot_nodes(struct dot *dot)
{
	for (size_t i = 0; i < dot->profile->node_count; i++) {
		const struct profile_node *node = &dot->profile->nodes[i];

		dot->is_shown[i] = has_time_or_calls(node) && is_large(dot, profile_node_total(node), NODE_MIN);
		if (has_time_or_calls(node) && !dot->is_shown[i]) {
			dot->hidden_nodes++;
			dot->hidden_time += node->self_time;
		}
	}
	/* In a profile without samples, callers have no time, and entry points have no calls either. */
	for (size_t i = 0; dot->profile->total_time <= 0 && i < dot->profile->arc_count; i++)
		dot->is_shown[dot->profile->arcs[i].caller] = true;
}

static bool has_time(const struct dot *dot, const struct profile_arc *arc)
{
	return (arc->count > 0 || profile_measured_arc(dot->profile, arc)->is_on_stacks) &&
	       profile_arc_is_timed(dot->profile, arc);
}

/* Recursion, removed arcs, arcs within a cycle and calls that are only in the code carry no time, so they are shown if
 * both of their functions are. */
static bool shows_arc(const struct dot *dot, const struct profile_arc *arc)
{
	return dot->is_shown[arc->caller] && dot->is_shown[arc->callee] &&
	       (!has_time(dot, arc) || is_large(dot, arc->self_time + arc->child_time, ARC_MIN));
}

/* --- Output. */

static void print_dot_count(const struct dot *dot, uint64_t count, const char *what)
{
	char digits[TEXT_COUNT_SIZE];

	fprintf(dot->stream, "%s %s%s", text_format_count(count, digits), what, count == 1 ? "" : "s");
}

static void print_dot_hidden(const struct dot *dot)
{
	fputs("\\nnot shown: ", dot->stream);
	print_dot_count(dot, dot->hidden_nodes, "function");
	fprintf(dot->stream, " below %g %% (%.2f %% of the time), ", NODE_MIN * 100,
	        part_of_all_time(dot, dot->hidden_time) * 100);
	print_dot_count(dot, dot->hidden_arcs, "arc");
	fprintf(dot->stream, " below %g %%", ARC_MIN * 100);
}

static void print_dot_head(const struct dot *dot)
{
	const struct profile *profile = dot->profile;

	fputs("digraph bareprof {\n\tgraph [labelloc=t, fontname=\"Helvetica\", label=\"", dot->stream);
	print_dot_label(dot, profile->image->path);
	fputs("\\n", dot->stream);
	print_dot_count(dot, profile_count_of(profile->total_samples), "sample");
	if (profile->time_unit == PROFILE_SECONDS)
		fprintf(dot->stream, ", %.4g s", profile->total_time);
	if (profile->measurement != NULL)
		fputs(", " VIEWS_TOTALS_MEASURED, dot->stream);
	else if (profile_part_in_cycles(profile, NULL) >= VIEWS_CYCLES_PART)
		fprintf(dot->stream, "\\n" VIEWS_IN_CYCLES, 100 * profile_part_in_cycles(profile, NULL));
	if (dot->hidden_nodes > 0 || dot->hidden_arcs > 0)
		print_dot_hidden(dot);
	fputs("\"];\n\tnode [shape=box, style=filled, fontname=\"Helvetica\"];\n"
	      "\tedge [fontname=\"Helvetica\", fontsize=10];\n",
	      dot->stream);
}

/* Precedes a lower bound. */
#define LOWER_BOUND "≥ "

/* Prints a percentage, with its standard error if that was estimated. */
static void print_dot_share(const struct dot *dot, double time, double variance, bool is_lower_bound)
{
	fprintf(dot->stream, "%s%.2f", is_lower_bound ? LOWER_BOUND : "", part_of_all_time(dot, time) * 100);
	if (dot->profile->has_total_variance && !is_lower_bound)
		fprintf(dot->stream, " ± %.2f", part_of_all_time(dot, sqrt(variance)) * 100);
	fputs(" %", dot->stream);
}

static void print_dot_node(const struct dot *dot, size_t index, const char *indent)
{
	const struct profile_node *node = &dot->profile->nodes[index];
	uint64_t calls = profile_node_calls(node);

	fprintf(dot->stream, "%sn%zu [label=\"", indent, index);
	print_dot_label(dot, demangler_name(dot->names, node->name));
	fputs("\\ntotal ", dot->stream);
	print_dot_share(dot, profile_node_total(node), node->total_variance, node->is_lower_bound);
	fprintf(dot->stream, "\\n(self %.2f %%)", part_of_all_time(dot, node->self_time) * 100);
	if (calls > 0) {
		fputs("\\n", dot->stream);
		print_dot_count(dot, calls, "call");
	}
	/* From white to red. The square root makes small parts visible. */
	fprintf(dot->stream, "\", fillcolor=\"0.03 %.3f 1.000\"];\n",
	        0.8 * sqrt(part_of_all_time(dot, node->self_time)));
}

static void print_dot_cycle(const struct dot *dot, size_t index)
{
	const struct profile_cycle *cycle = &dot->profile->cycles[index];

	fprintf(dot->stream, "\tsubgraph cluster_cycle_%zu {\n\t\tlabel=\"cycle %zu\\ntotal ", index + 1, index + 1);
	print_dot_share(dot, cycle->self_time + cycle->child_time, cycle->total_variance, false);
	fputs("\";\n\t\tstyle=dashed;\n", dot->stream);
	for (size_t i = 0; i < cycle->member_count; i++)
		if (dot->is_shown[cycle->members[i]])
			print_dot_node(dot, cycle->members[i], "\t\t");
	fputs("\t}\n", dot->stream);
}

static bool shows_cycle(const struct dot *dot, const struct profile_cycle *cycle)
{
	for (size_t i = 0; i < cycle->member_count; i++)
		if (dot->is_shown[cycle->members[i]])
			return true;
	return false;
}

static void print_dot_nodes(const struct dot *dot)
{
	for (size_t i = 0; i < dot->profile->cycle_count; i++)
		if (shows_cycle(dot, &dot->profile->cycles[i]))
			print_dot_cycle(dot, i);
	for (size_t i = 0; i < dot->profile->node_count; i++)
		if (dot->is_shown[i] && dot->profile->nodes[i].cycle == PROFILE_NONE)
			print_dot_node(dot, i, "\t");
}

static void print_dot_arc(const struct dot *dot, const struct profile_arc *arc)
{
	double part = part_of_all_time(dot, arc->self_time + arc->child_time);
	const struct profile_measured_arc *measured = profile_measured_arc(dot->profile, arc);
	bool is_only_in_code = arc->count == 0 && !measured->is_on_stacks;

	fprintf(dot->stream, "\tn%u -> n%u [label=\"", (unsigned)arc->caller, (unsigned)arc->callee);
	if (has_time(dot, arc))
		fprintf(dot->stream, "%s%.2f %%\\n", measured->is_lower_bound ? LOWER_BOUND : "", part * 100);
	if (arc->count > 0)
		print_dot_count(dot, arc->count, "call");
	fprintf(dot->stream, "\", weight=%.0f, penwidth=%.2f%s];\n", 1 + part * (ARC_WEIGHT_MAX - 1),
	        1 + part * (ARC_WIDTH_MAX - 1),
	        is_only_in_code   ? ", style=dotted"
	        : arc->is_removed ? ", style=dashed"
	                          : "");
}

static enum status write_dot(const struct profile *profile, FILE *stream, struct error *error)
{
	struct dot dot = {
	        .profile = profile,
	        .names = views_names_create(profile, error),
	        .stream = stream,
	        .is_shown = calloc(profile->node_count + 1, sizeof(bool)),
	};
	enum status status = STATUS_OK;

	if (dot.names != NULL && dot.is_shown != NULL) {
		choose_dot_nodes(&dot);
		for (size_t i = 0; i < profile->arc_count; i++)
			dot.hidden_arcs += !shows_arc(&dot, &profile->arcs[i]);
		print_dot_head(&dot);
		print_dot_nodes(&dot);
		for (size_t i = 0; i < profile->arc_count; i++)
			if (shows_arc(&dot, &profile->arcs[i]))
				print_dot_arc(&dot, &profile->arcs[i]);
		fputs("}\n", stream);
	} else {
		status = status_fail(error, "out of memory for a graph of %zu functions", profile->node_count);
	}
	demangler_free(dot.names);
	free(dot.is_shown);
	return status;
}

const struct output_format output_dot = {
        .name = "dot",
        .summary = "the call graph for Graphviz, without functions below 0.5 %",
        .total_times = true,
        .total_errors = true,
        .static_calls = true,
        .write = write_dot,
};
