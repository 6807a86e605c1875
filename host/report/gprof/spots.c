/* SPDX-License-Identifier: MIT */
/* See spots.h. */
#include "report/gprof/spots.h"

#include "capture/count.h"

#include <stdlib.h>
#include <string.h>

/* The range of a node with a known line. */
struct range {
	const char *folder, *file;
	int line;
	size_t node;
};

static int compare_line_ranges(const void *left, const void *right)
{
	const struct range *a = left, *b = right;
	int by_folder = strcmp(a->folder, b->folder);

	if (by_folder != 0)
		return by_folder;
	int by_file = strcmp(a->file, b->file);
	if (by_file != 0)
		return by_file;
	if (a->line != b->line)
		return a->line > b->line ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

static size_t collect_ranges(const struct gprof_report *report, struct range *ranges)
{
	size_t count = 0;

	for (size_t i = 0; i < report->profile->image->function_count; i++) {
		const struct profile_node *node = &report->profile->nodes[i];

		if (node->file != NULL && node->line > 0)
			ranges[count++] = (struct range){gprof_folder(report, node), node->file, node->line, i};
	}
	qsort(ranges, count, sizeof *ranges, compare_line_ranges);
	return count;
}

static bool is_same_file(const struct range *left, const struct range *right)
{
	return strcmp(left->folder, right->folder) == 0 && strcmp(left->file, right->file) == 0;
}

static struct gprof_file *begin_file(struct gprof_files *files, const struct range *range)
{
	struct gprof_file *file = &files->items[files->count++];

	*file = (struct gprof_file){
	        .folder = range->folder,
	        .name = range->file,
	        .order = SIZE_MAX,
	        .spots = &files->spots[files->spot_count],
	};
	return file;
}

static void add_spot(const struct gprof_report *report, struct gprof_files *files, struct gprof_file *file,
                     const struct range *range)
{
	const struct profile_node *node = &report->profile->nodes[range->node];
	struct gprof_spot *last = file->spot_count > 0 ? &file->spots[file->spot_count - 1] : NULL;

	count_add(&file->calls, node->calls);
	if (last != NULL && last->line == range->line) {
		last->address = 0;
		count_add(&last->calls, node->calls);
		return;
	}
	last = &files->spots[files->spot_count++];
	file->spot_count++;
	*last = (struct gprof_spot){
	        .line = range->line,
	        .is_function = !report->profile->image->functions[range->node].is_line,
	        .address = node->address,
	        .calls = node->calls,
	};
	last->blocks = gprof_blocks_of(&files->blocks, range->node, &last->block_count);
}

/* Functions that filters exclude count for the order of files, too. */
static void add_range_to_file(const struct gprof_report *report, struct gprof_files *files, struct gprof_file *file,
                              const struct range *range)
{
	size_t order = report->profile->image->functions[range->node].order;

	file->order = order < file->order ? order : file->order;
	if (filter_wants(report->profile->nodes[range->node].marks, report->profile->all_marks, FILTER_SOURCE))
		add_spot(report, files, file, range);
}

static int compare_file_orders(const void *left, const void *right)
{
	const struct gprof_file *a = left, *b = right;

	return (a->order < b->order) - (a->order > b->order);
}

static void keep_called(struct gprof_files *files)
{
	size_t kept = 0;

	for (size_t i = 0; i < files->count; i++)
		if (files->items[i].calls > 0)
			files->items[kept++] = files->items[i];
	files->count = kept;
	qsort(files->items, files->count, sizeof *files->items, compare_file_orders);
}

enum status gprof_collect_files(const struct gprof_report *report, struct gprof_files *files, struct error *error)
{
	size_t max = report->profile->image->function_count;
	struct gprof_blocks blocks;
	enum status status = gprof_collect_blocks(report, &blocks, error);

	*files = (struct gprof_files){.blocks = blocks};
	if (status != STATUS_OK)
		return status;
	struct range *ranges = calloc(max + 1, sizeof *ranges);
	files->items = calloc(max + 1, sizeof *files->items);
	files->spots = calloc(max + 1, sizeof *files->spots);
	if (ranges == NULL || files->items == NULL || files->spots == NULL) {
		free(ranges);
		return status_fail(error, "out of memory for the lines of %zu functions", max);
	}
	size_t count = collect_ranges(report, ranges);
	struct gprof_file *file = NULL;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || !is_same_file(&ranges[i - 1], &ranges[i]))
			file = begin_file(files, &ranges[i]);
		add_range_to_file(report, files, file, &ranges[i]);
	}
	free(ranges);
	keep_called(files);
	return STATUS_OK;
}

void gprof_free_files(struct gprof_files *files)
{
	free(files->items);
	free(files->spots);
	free(files->blocks.items);
}
