/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "firmware/unwind/rows.h"

#include "base/array.h"
#include "base/search.h"

#include <stdlib.h>

void frame_rows_free(struct frame_rows *rows)
{
	free(rows->rows);
	*rows = (struct frame_rows){.rows = NULL};
}

const struct frame_row *frame_row_at(const struct frame_rows *rows, uint64_t address)
{
	size_t index =
	        first_above(rows->rows, rows->count, sizeof *rows->rows, offsetof(struct frame_row, high), address);

	return index < rows->count && rows->rows[index].low <= address ? &rows->rows[index] : NULL;
}

bool frame_rows_overlap(const struct frame_rows *rows, uint64_t low, uint64_t high)
{
	size_t index = first_above(rows->rows, rows->count, sizeof *rows->rows, offsetof(struct frame_row, high), low);

	return index < rows->count && rows->rows[index].low < high;
}

static int compare_frame_rows(const void *left, const void *right)
{
	const struct frame_row *a = left, *b = right;

	return compare_numbers(a->low, b->low);
}

void frame_rows_sort(struct frame_row *rows, size_t count)
{
	if (count > 0)
		qsort(rows, count, sizeof *rows, compare_frame_rows);
}

/* Adds the rules of a row for [low, high), unless that is empty. */
static bool add_part_of_row(struct frame_rows *rows, const struct frame_row *row, uint64_t low, uint64_t high)
{
	struct frame_row part = *row;

	part.low = low;
	part.high = high;
	return low >= high || array_append(&rows->rows, &rows->count, &part, sizeof part);
}

static bool divide_rows(const struct frame_rows *given, const struct frame_row *found, size_t count,
                        struct frame_rows *divided)
{
	size_t next = 0;

	for (size_t i = 0; i < given->count; i++) {
		const struct frame_row *row = &given->rows[i];
		uint64_t low = row->low;

		for (; next < count && found[next].low < row->high; next++) {
			if (found[next].low < low)
				continue;
			uint64_t high = found[next].high < row->high ? found[next].high : row->high;

			if (!add_part_of_row(divided, row, low, found[next].low) ||
			    !add_part_of_row(divided, &found[next], found[next].low, high))
				return false;
			low = high;
		}
		if (!add_part_of_row(divided, row, low, row->high))
			return false;
	}
	return true;
}

bool frame_rows_divide(struct frame_rows *rows, struct frame_row *found, size_t count)
{
	struct frame_rows divided = {.rows = NULL};

	if (count == 0)
		return true;
	frame_rows_sort(found, count);
	bool ok = divide_rows(rows, found, count, &divided);
	frame_rows_free(ok ? rows : &divided);
	if (ok)
		*rows = divided;
	return ok;
}
