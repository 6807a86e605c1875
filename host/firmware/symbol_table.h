/* SPDX-License-Identifier: MIT */
/* Code symbols by address, as GNU gprof divides code (docs/GPROF.md): one of several symbols at an address is chosen,
 * and each extends to the next. Private to firmware/. */
#ifndef FIRMWARE_SYMBOL_TABLE_H
#define FIRMWARE_SYMBOL_TABLE_H

#include "firmware/image.h"

/* Symbols become functions; ends and first extents are set last. */
struct symbol_table {
	struct image_function *functions;
	size_t count;
	size_t appended; /* including symbols that were dropped */
};

/* Appends a symbol and sets its order, the number appended before it. False when out of memory. */
bool symbol_table_append(struct symbol_table *table, struct image_function symbol);

/* Appends the symbols of the lines `ADDRESS T|t NAME` of a file, the format of nm; t: local. Ignores other lines.
 * Fails, naming file and line, if the file is unreadable, has no symbols, or one without an address. */
enum status symbol_table_read(const struct image *image, const char *path, struct symbol_table *table,
                              struct error *error);

/* Sorts by address and keeps one symbol per address: global before local, then functions before labels, then fewer
 * leading underscores (0, 1, 2), then the first appended. The kept symbol gets the lowest order at its address. */
void symbol_table_sort(struct symbol_table *table);

/*
 * Sorts the table and appends a symbol wherever the line or the function of the code changes. The function is the
 * inlined one, if any, else the table's. If a line begins at a symbol of the table, that symbol gets the line. Code
 * without a line belongs to the code before it. False when out of memory.
 */
bool symbol_table_add_lines(const struct image *image, struct symbol_table *table);

/* Sets the ends in a sorted table. Each symbol extends to the next, and the last one to the end of its section, but at
 * least one byte: a label that a linker script puts after the code also has its row. */
void symbol_table_set_ends(const struct image *image, struct symbol_table *table);

#endif
