/* SPDX-License-Identifier: MIT */
/* Execution counts: calls of functions and entries of basic blocks, one per line, by source file and line. */
#include "report/gprof/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line of the output. */
struct count {
	const struct profile_node *node; /* the function, or the line's range */
	const char *folder;              /* folder of the file */
	uint64_t address;                /* address of the function, line or basic block */
	size_t place; /* number of a basic block, from 1, by its first record; 0 for functions, which come first */
	uint64_t count;
};

/* Sorts unknown files last. */
static int compare_file_names(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a == NULL) - (b == NULL);
	return strcmp(a, b);
}

static int compare_counts(const void *left, const void *right)
{
	const struct count *a = left, *b = right;
	const struct profile_node *a_node = a->node, *b_node = b->node;
	bool are_known = a_node->file != NULL && b_node->file != NULL;
	int by_folder = strcmp(a->folder, b->folder);
	int by_file = by_folder != 0 && are_known ? by_folder : compare_file_names(a_node->file, b_node->file);

	if (by_file != 0)
		return by_file;
	if (a_node->line != b_node->line)
		return a_node->line > b_node->line ? 1 : -1;
	if (a_node->address != b_node->address)
		return a_node->address > b_node->address ? 1 : -1;
	return (a->place > b->place) - (a->place < b->place);
}

static bool is_count_wanted(const struct gprof_report *report, const struct profile_node *node)
{
	return filter_wants(node->marks, report->profile->all_marks, FILTER_COUNTS);
}

static size_t add_function_counts(const struct gprof_report *report, struct count *counts)
{
	size_t added = 0;

	for (size_t i = 0; i < report->profile->image->function_count; i++) {
		const struct profile_node *node = &report->profile->nodes[i];

		if (is_count_wanted(report, node) && (node->calls > 0 || report->options->show_unused))
			counts[added++] =
			        (struct count){node, gprof_folder(report, node), node->address, 0, node->calls};
	}
	return added;
}

static size_t add_block_counts(const struct gprof_report *report, const struct gprof_blocks *blocks,
                               struct count *counts)
{
	size_t added = 0;

	for (size_t i = 0; i < blocks->count; i++) {
		const struct gprof_block *block = &blocks->items[i];
		const struct profile_node *node = &report->profile->nodes[block->node];

		if (is_count_wanted(report, node))
			counts[added++] = (struct count){node, gprof_folder(report, node), block->address,
			                                 block->place + 1, block->count};
	}
	return added;
}

static void print_executions(struct gprof_report *report, const struct count *count)
{
	char text[80];

	gprof_print_safe(report, count->folder);
	layout_text(&report->layout, count->folder[0] != '\0' ? "/" : "");
	gprof_print_safe(report, count->node->file != NULL ? count->node->file : "<unknown>");
	snprintf(text, sizeof text, ":%d: (", count->node->line);
	layout_text(&report->layout, text);
	gprof_print_safe(report, count->node->name);
	snprintf(text, sizeof text, ":0x%" PRIx64 ") %" PRIu64 " executions\n", count->address, count->count);
	layout_text(&report->layout, text);
}

static enum status print_sorted_counts(struct gprof_report *report, const struct gprof_blocks *blocks,
                                       struct error *error)
{
	size_t max = report->profile->image->function_count + blocks->count;
	struct count *counts = calloc(max + 1, sizeof *counts);

	if (counts == NULL)
		return status_fail(error, "out of memory for %zu counts", max);
	size_t count = add_function_counts(report, counts);
	count += add_block_counts(report, blocks, counts + count);
	qsort(counts, count, sizeof *counts, compare_counts);
	gprof_begin_part(report);
	for (size_t i = 0; i < count; i++)
		if (counts[i].count > 0 || report->options->show_unused)
			print_executions(report, &counts[i]);
	free(counts);
	return STATUS_OK;
}

enum status gprof_print_counts(struct gprof_report *report, struct error *error)
{
	struct gprof_blocks blocks;
	enum status status = gprof_collect_blocks(report, &blocks, error);

	if (status == STATUS_OK)
		status = print_sorted_counts(report, &blocks, error);
	free(blocks.items);
	return status;
}
