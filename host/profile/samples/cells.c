/* SPDX-License-Identifier: MIT */
/* See cells.h. */
#include "profile/samples/cells.h"

#include "capture/count.h"

#include <stdlib.h>

/*
 * Limits on the code that cells cover, counted for each cell. Cells written by a target overlap in no run, so the
 * cells of one run may cover the code twice. All runs together may cover 4,096 of the largest granules (4,096 bytes),
 * and more for more code and more cells.
 */
#define RUN_TIMES     2
#define RUN_BYTES_MIN 0x10000u
#define CELL_BYTES    64
#define ALL_TIMES     8
#define ALL_BYTES_MIN (4096u * 4096)

static int compare_times(double left, double right)
{
	return (left > right) - (left < right);
}

/* Orders cells by run; cells of the same run compare equal. */
static int compare_cell_runs(const struct cell *a, const struct cell *b)
{
	int by_source = source_compare(&a->source, &b->source);
	uint64_t a_size = a->high - a->low, b_size = b->high - b->low;

	if (by_source != 0)
		return by_source;
	if (a_size != b_size)
		return a_size < b_size ? -1 : 1;
	int by_sample_time = compare_times(a->sample_time, b->sample_time);
	return by_sample_time != 0 ? by_sample_time : compare_times(a->handler_time, b->handler_time);
}

static int compare_cells(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;
	int by_run = compare_cell_runs(a, b);

	return by_run != 0 ? by_run : (a->low > b->low) - (a->low < b->low);
}

static bool has_full_table(const struct capture_block *block)
{
	return block->header.samples_table_full > 0 || block->cells_saturated > 0;
}

static size_t add_cells_of_block(const struct profile *profile, const struct capture_block *block, struct cell *cells)
{
	size_t count = 0;

	for (size_t i = 0; i < block->cell_count; i++) {
		const struct capture_cell *cell = &block->cells[i];

		if (!cell->is_coarse && cell->count > 0)
			cells[count++] = (struct cell){
			        .source = source_of(block, cell->context),
			        .sample_time = profile_sample_time(profile, block),
			        .handler_time = profile_handler_time(profile, block),
			        .low = cell->low,
			        .high = cell->high,
			        .count = cell->count,
			        .is_complete = !has_full_table(block),
			};
	}
	return count;
}

static size_t merge_equal_cells(struct cell *cells, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		bool is_equal = kept > 0 && compare_cells(&cells[kept - 1], &cells[i]) == 0;

		if (is_equal && cells[kept - 1].count <= UINT64_MAX - cells[i].count) {
			cells[kept - 1].count += cells[i].count;
			cells[kept - 1].is_complete &= cells[i].is_complete;
		} else {
			cells[kept++] = cells[i];
		}
	}
	return kept;
}

bool cells_collect(const struct profile *profile, struct cell **cells, size_t *count)
{
	size_t capacity = 0, filled = 0;

	for (size_t i = 0; i < profile->block_count; i++)
		capacity += profile->blocks[i]->cell_count;
	*cells = calloc(capacity + 1, sizeof **cells);
	if (*cells == NULL)
		return false;
	for (size_t i = 0; i < profile->block_count; i++)
		filled += add_cells_of_block(profile, profile->blocks[i], *cells + filled);
	qsort(*cells, filled, sizeof **cells, compare_cells);
	*count = merge_equal_cells(*cells, filled);
	return true;
}

size_t cells_run_end(const struct cell *cells, size_t first, size_t count)
{
	size_t end = first + 1;

	while (end < count && compare_cell_runs(&cells[first], &cells[end]) == 0)
		end++;
	return end;
}

/* --- How much code they cover. */

/* The bytes of functions before each function, and all of them last. NULL when out of memory. */
static uint64_t *sum_functions(const struct image *image)
{
	uint64_t *before = calloc(image->function_count + 1, sizeof *before);

	for (size_t i = 0; before != NULL && i < image->function_count; i++)
		before[i + 1] = before[i] + image->functions[i].end - image->functions[i].start;
	return before;
}

static uint64_t bytes_before(const struct image *image, const uint64_t *before, uint64_t address)
{
	size_t next = image_first_function_after(image, address);
	bool is_inside = next < image->function_count && image->functions[next].start < address;

	return before[next] + (is_inside ? address - image->functions[next].start : 0);
}

static uint64_t code_size(const struct image *image)
{
	uint64_t size = 0;

	for (size_t i = 0; i < image->code_count; i++)
		size += image->code[i].size;
	return size;
}

/* The bytes of functions that the cells cover, counted for each cell. */
static uint64_t covered_bytes(const struct image *image, const uint64_t *before, const struct cell *cells, size_t count)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++)
		count_add(&bytes,
		          bytes_before(image, before, cells[i].high) - bytes_before(image, before, cells[i].low));
	return bytes;
}

static bool are_affordable(const struct image *image, const uint64_t *before, const struct cell *cells, size_t count)
{
	uint64_t size = code_size(image), all = 0;

	for (size_t first = 0, end; first < count; first = end) {
		end = cells_run_end(cells, first, count);
		uint64_t bytes = covered_bytes(image, before, &cells[first], end - first);
		if (bytes > RUN_BYTES_MIN + RUN_TIMES * size)
			return false;
		count_add(&all, bytes);
	}
	return all <= ALL_BYTES_MIN + ALL_TIMES * size + CELL_BYTES * (uint64_t)count;
}

enum status cells_check(const struct profile *profile, const struct cell *cells, size_t count, struct error *error)
{
	const struct image *image = profile->image;
	uint64_t *before = sum_functions(image);
	enum status status = STATUS_OK;

	if (before == NULL)
		status = status_no_memory(error, image->path);
	else if (!are_affordable(image, before, cells, count))
		status = status_fail(error,
		                     "%s: samples of its captures lie on the same code too many times over: is a "
		                     "capture damaged?",
		                     image->path);
	free(before);
	return status;
}
