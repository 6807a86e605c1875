/* SPDX-License-Identifier: MIT */
/* The rows of the unwind table: frame rows as recipes, with the functions in which paths end. */
#ifndef FIRMWARE_UNWIND_TABLE_ROWS_H
#define FIRMWARE_UNWIND_TABLE_ROWS_H

#include "firmware/unwind/unwinder.h"

#include <bareprof/unwind_table.h>

/* A row of the unwind table. Its recipe applies from its address up to the address of the next row. */
struct table_row {
	uint64_t address;
	uint32_t recipe;
};

#define RECIPE_WITHOUT_ROW BAREPROF_RECIPE_OF_END(BAREPROF_END_NO_ROW)

struct table_rows {
	struct table_row *rows; /* sorted, at distinct even addresses; the last is after all code. Owned */
	size_t count;
};

/* On success the caller frees rows->rows. False when out of memory. */
bool table_rows_find(const struct image *image, const struct unwinder *unwinder, struct table_rows *rows);

/* The recipe of a row in a function with these properties (enum frame_function); RECIPE_WITHOUT_ROW if no recipe can
 * express the row. */
uint32_t table_recipe_of(const struct frame_row *row, unsigned properties, unsigned address_size);

#endif
