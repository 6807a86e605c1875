/* SPDX-License-Identifier: MIT */
/* The flat profile in GNU gprof's layout, or BSD's. */
#include "report/gprof/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The explanation of the columns, which -b omits. GNU gprof has its own wording. */
static const char explanation[] =
        "\n"
        "% time      share of all samples that found this function running\n"
        "cumulative  self time of this row and of all rows above it\n"
        "self        time in the function's own code; the table is sorted by it\n"
        "calls       calls by other functions; blank if none was counted, as without -pg\n"
        "self/call   self time of one call, on average\n"
        "total/call  the same with the time of all that it calls, as the call graph shares it\n"
        "name        the function; behind it, if there is one, its number in the call graph, in\n"
        "            parentheses if the call graph does not show it\n";

struct per_call_unit {
	const char *prefix;
	double scale;
};

/* The cost of the most expensive call, including functions left out of the table: they have no self time, but may have
 * time of callees. */
static double dearest_call(const struct gprof_report *report)
{
	double dearest = 0;

	for (size_t i = 0; i < report->profile->node_count; i++) {
		const struct profile_node *node = &report->profile->nodes[i];

		if (node->calls > 0)
			dearest = fmax(dearest, profile_node_total(node) / (double)node->calls);
	}
	return dearest;
}

/* The smallest unit in which the most expensive call is below 1000. */
static struct per_call_unit choose_per_call_unit(const struct gprof_report *report)
{
	static const struct per_call_unit units[] = {
	        {"T", 1e-12}, {"G", 1e-9}, {"M", 1e-6}, {"K", 1e-3}, {"", 1},     {"m", 1e3},
	        {"u", 1e6},   {"n", 1e9},  {"p", 1e12}, {"f", 1e15}, {"a", 1e18},
	};
	double dearest = dearest_call(report);

	if (report->options->traditional)
		return (struct per_call_unit){"m", 1e3};
	if (dearest <= 0)
		return (struct per_call_unit){"", 1};
	size_t chosen = 0;
	for (size_t i = 1; i < sizeof units / sizeof *units; i++)
		if (units[i].scale * dearest < 1000.0 * report->hertz)
			chosen = i;
	return units[chosen];
}

static int compare_flat_nodes(const void *left, const void *right)
{
	const struct profile_node *a = *(const struct profile_node *const *)left;
	const struct profile_node *b = *(const struct profile_node *const *)right;

	if (a->self_time < b->self_time || a->self_time > b->self_time)
		return a->self_time > b->self_time ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	int by_name = strcmp(a->name, b->name);
	return by_name != 0 ? by_name : (a > b) - (a < b);
}

static size_t choose_rows(const struct gprof_report *report, const struct profile_node **rows)
{
	size_t count = 0;

	for (size_t i = 0; i < report->profile->node_count; i++) {
		const struct profile_node *node = &report->profile->nodes[i];

		if (filter_wants(node->marks, report->profile->all_marks, FILTER_FLAT) &&
		    gprof_is_used(report, node->self_time, node->calls))
			rows[count++] = node;
	}
	qsort(rows, count, sizeof *rows, compare_flat_nodes);
	return count;
}

/* The cells of one line, each with its width and a gap after it. */
struct heading {
	const char *text;
	int width;
	size_t gap;
};

static void print_heading_cells(struct gprof_report *report, const struct heading *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		layout_cut_cell(&report->layout, cells[i].text, cells[i].width);
		layout_spaces(&report->layout, cells[i].gap);
	}
	layout_text(&report->layout, "\n");
}

static void print_gprof_headings(struct gprof_report *report, const struct per_call_unit *unit)
{
	char per[16];
	const char *dimension = report->dimension;

	snprintf(per, sizeof per, "%s%c/call", unit->prefix, report->abbreviation);
	const struct heading above[] = {{"%  ", 5, 1},    {"cumulative", 10, 1}, {"self  ", 8, 1}, {"", 8, 1},
	                                {"self  ", 8, 1}, {"total ", 8, 2},      {"", -8, 0}};
	const struct heading below[] = {{"time", 5, 1}, {dimension, 9, 2}, {dimension, 8, 1}, {"calls", 8, 1},
	                                {per, 8, 1},    {per, 8, 2},       {"name", -8, 0}};
	print_heading_cells(report, above, sizeof above / sizeof *above);
	print_heading_cells(report, below, sizeof below / sizeof *below);
}

static void print_time_per_sample(struct gprof_report *report)
{
	char text[96];
	double total = report->profile->total_time;

	if (report->options->traditional) {
		gprof_print_granularity(report, total, report->dimension, "accumulated");
		return;
	}
	snprintf(text, sizeof text, "\nEach sample counts as %g %s.\n", 1.0 / report->hertz, report->dimension);
	layout_text(&report->layout, text);
	if (total <= 0)
		layout_text(&report->layout, " no time accumulated\n\n");
}

static void print_per_call(struct gprof_report *report, const struct profile_node *node,
                           const struct per_call_unit *unit)
{
	struct layout *layout = &report->layout;

	if (node->calls == 0) {
		layout_spaces(layout, 29);
		return;
	}
	layout_text(layout, " ");
	layout_count(layout, node->calls, 8);
	layout_text(layout, " ");
	layout_number(layout, unit->scale * node->self_time / report->hertz / (double)node->calls, 8, 2);
	layout_text(layout, " ");
	layout_number(layout, unit->scale * profile_node_total(node) / report->hertz / (double)node->calls, 8, 2);
	layout_text(layout, "  ");
}

static void print_gprof_row(struct gprof_report *report, const struct profile_node *node,
                            const struct per_call_unit *unit, double cumulative)
{
	size_t index = (size_t)(node - report->profile->nodes);
	struct layout *layout = &report->layout;
	bool traditional = report->options->traditional;
	double total = report->profile->total_time;

	layout_number(layout, 100 * node->self_time / (total > 0 ? total : 1), traditional ? 5 : 6,
	              traditional ? 1 : 2);
	layout_text(layout, " ");
	layout_number(layout, cumulative / report->hertz, traditional ? 10 : 9, 2);
	layout_text(layout, " ");
	layout_number(layout, node->self_time / report->hertz, 8, 2);
	print_per_call(report, node, unit);
	if (traditional)
		gprof_print_name(report, index);
	else
		layout_text(layout, gprof_name(report, index));
	layout_text(layout, "\n");
}

static void print_gprof_table(struct gprof_report *report, const struct profile_node *const *rows, size_t count)
{
	const struct per_call_unit unit = choose_per_call_unit(report);
	double cumulative = 0;

	print_time_per_sample(report);
	print_gprof_headings(report, &unit);
	for (size_t i = 0; i < count; i++) {
		cumulative += rows[i]->self_time;
		print_gprof_row(report, rows[i], &unit, cumulative);
	}
}

enum status gprof_print_flat(struct gprof_report *report, struct error *error)
{
	bool traditional = report->options->traditional, brief = report->options->brief;
	const struct profile_node **rows = calloc(report->profile->node_count + 1, sizeof *rows);

	if (rows == NULL)
		return status_fail(error, "out of memory for a profile of %zu functions", report->profile->node_count);
	gprof_begin_part(report);
	if (!traditional)
		layout_text(&report->layout, "Flat profile:\n");
	else if (!brief)
		layout_text(&report->layout, "\n\n\nflat profile:\n");
	if (traditional && !brief)
		layout_text(&report->layout, explanation);
	print_gprof_table(report, rows, choose_rows(report, rows));
	if (!traditional && !brief)
		layout_text(&report->layout, explanation);
	free(rows);
	return STATUS_OK;
}
