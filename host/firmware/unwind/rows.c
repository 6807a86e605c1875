/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "firmware/unwind/rows.h"

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
