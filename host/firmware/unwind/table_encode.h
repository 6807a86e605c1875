/* SPDX-License-Identifier: MIT */
/* Rows as the bytes of <bareprof/unwind_table.h>. */
#ifndef FIRMWARE_UNWIND_TABLE_ENCODE_H
#define FIRMWARE_UNWIND_TABLE_ENCODE_H

#include "firmware/unwind/table.h"
#include "firmware/unwind/table_rows.h"

/*
 * Fills *table from two or more rows, within less than 4 GB. If there are more recipes than a table can have, the
 * rarest become RECIPE_WITHOUT_ROW, also in the given rows. The size of the table is a multiple of alignment, 4 or 8.
 * On success the caller frees the table.
 */
enum status table_encode(const struct image *image, const struct table_rows *rows, uint32_t identity, size_t alignment,
                         struct unwind_table *table, struct error *error);

#endif
