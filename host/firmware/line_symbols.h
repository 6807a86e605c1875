/* SPDX-License-Identifier: MIT */
/* Source lines as code symbols. Private to firmware/. */
#ifndef FIRMWARE_LINE_SYMBOLS_H
#define FIRMWARE_LINE_SYMBOLS_H

#include "firmware/symbol_table.h"

/*
 * Settles the table and appends a symbol wherever the line of the code changes, or the function of the line: the
 * inlined function if there is one, else that of the table. If a line begins at a symbol of the table, that symbol gets
 * the line. Code without a line belongs to the code before it. False when out of memory.
 */
bool line_symbols_add(const struct image *image, struct symbol_table *table);

#endif
