/* SPDX-License-Identifier: MIT */
/*
 * Symbols of code by address, as GNU gprof sees them (docs/GPROF.md): of several at one address one is taken, and each
 * reaches to the next. Knows nothing of where they come from. Private to image/.
 */
#ifndef FIRMWARE_SYMBOL_TABLE_H
#define FIRMWARE_SYMBOL_TABLE_H

#include "firmware/image.h"

struct symbol {
	const char *name; /* owned by the image */
	uint64_t start;
	bool is_local;
	bool is_label;    /* no function */
	bool is_line;     /* begins within a function */
	size_t order;     /* how many were appended before */
	const char *file; /* of the extents of a line; else NULL */
	int line;
};

struct symbol_table {
	struct symbol *symbols;
	size_t count;
	size_t appended; /* also those that were not kept */
};

/* False if memory is short. The symbol's order is set. */
bool symbol_table_append(struct symbol_table *table, struct symbol symbol);
void symbol_table_free(struct symbol_table *table);

/*
 * Sorts by address and keeps one symbol for each: a global one before a local one, then a function before a label, then
 * a name that begins with no underscore before one with one, and that before one with two; else the first in the order
 * of appending. The order of the one that is kept is that of the first at its address.
 */
void symbol_table_settle(struct symbol_table *table);

/*
 * Functions of a settled table, the caller's to free: each reaches to the next, the last one to the end of the section
 * that it lies in. One byte is the least: the label that a linker script puts behind the code has its row, too. NULL if
 * memory is short.
 */
struct image_function *symbol_table_divide(const struct image *image, const struct symbol_table *table);

#endif
