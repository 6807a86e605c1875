/* SPDX-License-Identifier: MIT */
/* Code symbols by address, as GNU gprof divides code (docs/GPROF.md): one of several symbols at an address is chosen,
 * and each extends to the next. Private to firmware/. */
#ifndef FIRMWARE_SYMBOL_TABLE_H
#define FIRMWARE_SYMBOL_TABLE_H

#include "firmware/image.h"

struct symbol {
	const char *name; /* owned by the image */
	uint64_t start;
	bool is_local;
	bool is_label;    /* not of function type */
	bool is_line;     /* the start of a line within a function */
	size_t order;     /* the number appended before it */
	const char *file; /* for lines; otherwise NULL */
	int line;
};

struct symbol_table {
	struct symbol *symbols;
	size_t count;
	size_t appended; /* including symbols that were dropped */
};

/* Appends a symbol and sets its order. False when out of memory. */
bool symbol_table_append(struct symbol_table *table, struct symbol symbol);
void symbol_table_free(struct symbol_table *table);

/* Sorts by address and keeps one symbol per address: global before local, then functions before labels, then fewer
 * leading underscores (0, 1, 2), then the first appended. The kept symbol gets the lowest order at its address. */
void symbol_table_settle(struct symbol_table *table);

/*
 * Makes functions of a settled table; the caller frees them. Each extends to the next, and the last one to the end of
 * its section, but at least one byte: a label that a linker script puts after the code also has its row. NULL when out
 * of memory.
 */
struct image_function *symbol_table_divide(const struct image *image, const struct symbol_table *table);

#endif
