/* SPDX-License-Identifier: MIT */
/* See cells.h. */
#include "analysis/cells.h"

#include <stdlib.h>

static int compare_numbers(double left, double right)
{
	return (left > right) - (left < right);
}

/* Orders cells by run: those of one run are equal. */
static int compare_runs(const struct cell *a, const struct cell *b)
{
	int by_source = source_compare(&a->source, &b->source);
	uint64_t a_size = a->high - a->low, b_size = b->high - b->low;
	if (by_source != 0)
		return by_source;
	if (a_size != b_size)
		return a_size < b_size ? -1 : 1;
	int by_sample_time = compare_numbers(a->sample_time, b->sample_time);
	return by_sample_time != 0 ? by_sample_time : compare_numbers(a->handler_time, b->handler_time);
}

static int compare_cells(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;
	int by_run = compare_runs(a, b);
	return by_run != 0 ? by_run : (a->low > b->low) - (a->low < b->low);
}

static bool has_full_table(const struct capture_block *block)
{
	return block->header.samples_table_full > 0 || block->cells_saturated > 0;
}

static size_t add_block(const struct profile *profile, const struct capture_block *block, struct cell *cells)
{
	size_t count = 0;
	for (size_t i = 0; i < block->cell_count; i++) {
		const struct capture_cell *cell = &block->cells[i];
		if (!cell->coarse && cell->count > 0)
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

static size_t merge_equal(struct cell *cells, size_t count)
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
		filled += add_block(profile, profile->blocks[i], *cells + filled);
	qsort(*cells, filled, sizeof **cells, compare_cells);
	*count = merge_equal(*cells, filled);
	return true;
}

size_t cells_run_end(const struct cell *cells, size_t first, size_t count)
{
	size_t end = first + 1;
	while (end < count && compare_runs(&cells[first], &cells[end]) == 0)
		end++;
	return end;
}
