/* SPDX-License-Identifier: MIT */
/* Lines of source as symbols of code of their own. Private to image/. */
#ifndef FIRMWARE_LINE_SYMBOLS_H
#define FIRMWARE_LINE_SYMBOLS_H

#include "firmware/symbol_table.h"

/*
 * Settles the table and appends a symbol where the code's line changes, or the function that the line is of: that which
 * was inlined there, else that of the table. Symbols of the table where a line begins are given it instead. Code of no
 * known line is part of what lies before it. False if memory is short.
 */
bool line_symbols_add(const struct image *image, struct symbol_table *table);

#endif
