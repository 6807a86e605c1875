/* SPDX-License-Identifier: MIT */
/* The index by name, in three columns read downwards, followed by the cycles. */
#include "report/gprof/report.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS     3u
#define INDEX_WIDTH 6u

/* An item of the index. */
struct index_item {
	const char *name; /* as in the ELF; NULL for a cycle */
	size_t index;     /* index of the node or the cycle */
};

static int compare_index_items(const void *left, const void *right)
{
	const struct index_item *a = left, *b = right;
	int by_name = strcmp(a->name, b->name);

	return by_name != 0 ? by_name : (a->index > b->index) - (a->index < b->index);
}

/* A node that is not a function is listed if it calls, or is called by, functions that filters leave. */
static bool is_listed(const struct gprof_report *report, size_t index)
{
	const struct profile *profile = report->profile;
	const struct profile_node *node = &profile->nodes[index];
	bool has_arcs = profile->first_arc[index] < profile->first_arc[index + 1] ||
	                profile->first_parent[index] < profile->first_parent[index + 1];

	return (node->kind != PROFILE_FUNCTION && has_arcs) || gprof_is_used(report, node->self_time, node->calls);
}

static size_t collect_index_items(const struct gprof_report *report, struct index_item *items)
{
	const struct profile *profile = report->profile;
	size_t count = 0;

	for (size_t i = 0; i < profile->node_count; i++)
		if (is_listed(report, i))
			items[count++] = (struct index_item){profile->nodes[i].name, i};
	qsort(items, count, sizeof *items, compare_index_items);
	for (size_t i = 0; i < profile->cycle_count; i++)
		items[count++] = (struct index_item){NULL, i};
	return count;
}

/* An item as text: its number in brackets, and its name. */
struct index_cell {
	char number[32], cycle[40];
	const char *name;
	char *file; /* text after the name, owned here; NULL: none */
};

static void fill_index_cell(struct gprof_report *report, const struct index_item *item, struct index_cell *cell)
{
	const struct profile *profile = report->profile;
	bool is_cycle = item->name == NULL;
	size_t number = is_cycle ? report->cycle_number[item->index] : report->node_number[item->index];
	bool is_shown =
	        is_cycle ? profile->cycles[item->index].wanted.is_shown : profile->nodes[item->index].wanted.is_shown;

	snprintf(cell->number, sizeof cell->number, is_shown ? "[%zu]" : "(%zu)", number);
	if (is_cycle)
		snprintf(cell->cycle, sizeof cell->cycle, "<cycle %zu>", item->index + 1);
	cell->name = is_cycle ? cell->cycle : gprof_name(report, item->index);
	cell->file = is_cycle ? NULL : gprof_file_of_local(report, item->index);
}

/* BSD's columns have a fixed width and truncate names. */
static void print_traditional(struct gprof_report *report, const struct index_cell *cell)
{
	gprof_print_index_cell(report, cell->number, INDEX_WIDTH);
	layout_text(&report->layout, " ");
	layout_cut_cell(&report->layout, cell->name, -19);
}

/* Prints a cell. Numbers are aligned at their ends unless the names before them are too long. Returns the column where
 * the cell ends; at: the column where the previous cell ended. */
static size_t print_aligned_cell(struct gprof_report *report, const struct index_cell *cell, size_t column, size_t at)
{
	size_t step = (report->options->index_width > 0 ? report->options->index_width - 1 : 0) / COLUMNS + 2;
	size_t number_end = INDEX_WIDTH + column * step;
	size_t number_size = strlen(cell->number);
	const char *file = cell->file != NULL ? cell->file : "";
	size_t gap = number_end > at + number_size ? number_end - at - number_size : 1;

	layout_spaces(&report->layout, gap);
	layout_text(&report->layout, cell->number);
	layout_text(&report->layout, " ");
	layout_text(&report->layout, cell->name);
	layout_text(&report->layout, file);
	return at + gap + number_size + 1 + strlen(cell->name) + strlen(file);
}

static void print_items(struct gprof_report *report, const struct index_item *items, size_t count)
{
	size_t rows = (count + COLUMNS - 1) / COLUMNS;

	for (size_t row = 0; row < rows; row++) {
		size_t at = 0;

		for (size_t column = 0; row + column * rows < count; column++) {
			struct index_cell cell;

			fill_index_cell(report, &items[row + column * rows], &cell);
			if (report->options->traditional)
				print_traditional(report, &cell);
			else
				at = print_aligned_cell(report, &cell, column, at);
			free(cell.file);
		}
		layout_text(&report->layout, "\n");
	}
}

enum status gprof_print_index(struct gprof_report *report, struct error *error)
{
	const struct profile *profile = report->profile;
	struct index_item *items = calloc(profile->node_count + profile->cycle_count + 1, sizeof *items);

	if (items == NULL)
		return status_fail(error, "out of memory for an index of %zu functions", profile->node_count);
	size_t count = collect_index_items(report, items);
	layout_text(&report->layout, "\f\nIndex by function name\n\n");
	print_items(report, items, count);
	free(items);
	return STATUS_OK;
}
