/* SPDX-License-Identifier: MIT */
/* See line_symbols.h. */
#include "firmware/line_symbols.h"


#include <stdlib.h>
#include <string.h>

struct line_walk {
	const struct image *image;
	struct symbol_table *table;
	size_t symbol_count; /* the original symbols of the table, by address */
	size_t next;         /* the first symbol after the current code */
	struct symbol last; /* the symbol of the previous code */
	bool is_short_of_memory;
};

/* The last symbol at or before address, or NULL. */
static struct symbol *advance(struct line_walk *walk, uint64_t address)
{
	while (walk->next < walk->symbol_count && walk->table->symbols[walk->next].start <= address)
		walk->next++;
	return walk->next == 0 ? NULL : &walk->table->symbols[walk->next - 1];
}

static bool is_same_line(const struct symbol *left, const struct symbol *right)
{
	return left->file != NULL && left->line == right->line && strcmp(left->name, right->name) == 0 &&
	       strcmp(left->file, right->file) == 0;
}

/* A symbol of the table at start gets the line itself. */
static void add_line(struct line_walk *walk, uint64_t start, const char *file, int line)
{
	struct symbol *owner = advance(walk, start);
	if (owner == NULL || walk->is_short_of_memory)
		return;
	struct image_inline function;
	struct symbol symbol = *owner;
	if (image_inlines(walk->image, start, &function, 1) > 0 && function.name[0] != '\0')
		symbol.name = function.name;
	symbol.start = start;
	symbol.is_label = symbol.is_line = true;
	symbol.file = file;
	symbol.line = line;
	if (owner->start == start) {
		owner->file = file;
		owner->line = line;
	} else if (!is_same_line(&walk->last, &symbol)) {
		walk->is_short_of_memory = !symbol_table_append(walk->table, symbol);
	}
	walk->last = symbol;
}

/* Rows end where inlined functions begin and end, but may go on into the next symbol. */
static void add_lines(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct line_walk *walk = context;
	for (uint64_t start = low; start < high;) {
		add_line(walk, start, file, line);
		bool has_next = walk->next < walk->symbol_count;
		uint64_t next = has_next ? walk->table->symbols[walk->next].start : high;
		start = next < high ? next : high;
	}
}

bool line_symbols_add(const struct image *image, struct symbol_table *table)
{
	symbol_table_settle(table);
	struct line_walk walk = {.image = image, .table = table, .symbol_count = table->count};
	image_each_line(image, add_lines, &walk);
	return !walk.is_short_of_memory;
}
