/* SPDX-License-Identifier: MIT */
/* See symbol_table.h. */
#include "firmware/symbol_table.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool symbol_table_append(struct symbol_table *table, struct image_function symbol)
{
	symbol.order = table->appended++;
	return array_append(&table->functions, &table->count, &symbol, sizeof symbol);
}

static int underscores_of(const struct image_function *symbol)
{
	if (symbol->name[0] != '_')
		return 0;
	return symbol->name[1] != '_' ? 1 : 2;
}

/* Orders by address, with the preferred symbol first. */
static int compare_symbols(const void *left, const void *right)
{
	const struct image_function *a = left;
	const struct image_function *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->is_local != b->is_local)
		return a->is_local ? 1 : -1;
	if (a->is_label != b->is_label)
		return a->is_label ? 1 : -1;
	if (underscores_of(a) != underscores_of(b))
		return underscores_of(a) - underscores_of(b);
	return (a->order > b->order) - (a->order < b->order);
}

void symbol_table_sort(struct symbol_table *table)
{
	if (table->count == 0)
		return;
	qsort(table->functions, table->count, sizeof *table->functions, compare_symbols);
	size_t kept = 1;
	for (size_t i = 1; i < table->count; i++)
		if (table->functions[i].start != table->functions[kept - 1].start)
			table->functions[kept++] = table->functions[i];
		else if (table->functions[i].order < table->functions[kept - 1].order)
			table->functions[kept - 1].order = table->functions[i].order;
	table->count = kept;
}

static uint64_t end_of_last(const struct image *image, uint64_t start)
{
	const struct image_code *code = image_code_at(image, start);

	return code == NULL ? start + 1 : code->address + code->size;
}

void symbol_table_set_ends(const struct image *image, struct symbol_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		struct image_function *function = &table->functions[i];
		bool is_last = i + 1 == table->count;

		function->end = is_last ? end_of_last(image, function->start) : function[1].start;
		function->first = i;
		function->inlined_into = IMAGE_NOT_INLINED;
	}
}

/* --- Lines. */

struct line_walk {
	const struct image *image;
	struct symbol_table *table;
	size_t symbol_count;        /* the original symbols of the table, by address */
	size_t next;                /* the first symbol after the current code */
	struct image_function last; /* the symbol of the previous code */
	bool out_of_memory;
};

/* The last symbol at or before address, or NULL. */
static struct image_function *advance_to_symbol(struct line_walk *walk, uint64_t address)
{
	while (walk->next < walk->symbol_count && walk->table->functions[walk->next].start <= address)
		walk->next++;
	return walk->next == 0 ? NULL : &walk->table->functions[walk->next - 1];
}

static bool is_same_symbol_line(const struct image_function *left, const struct image_function *right)
{
	return left->file != NULL && left->line == right->line && strcmp(left->name, right->name) == 0 &&
	       strcmp(left->file, right->file) == 0;
}

/* A symbol of the table at start gets the line itself. */
static void add_line_symbol(struct line_walk *walk, uint64_t start, const char *file, int line)
{
	struct image_function *owner = advance_to_symbol(walk, start);

	if (owner == NULL || walk->out_of_memory)
		return;
	struct image_inline function;
	struct image_function symbol = *owner;
	if (image_inlines(walk->image, start, &function, 1) > 0 && function.name[0] != '\0')
		symbol.name = function.name;
	symbol.start = start;
	symbol.is_label = symbol.is_line = true;
	symbol.file = file;
	symbol.line = line;
	if (owner->start == start) {
		owner->file = file;
		owner->line = line;
	} else if (!is_same_symbol_line(&walk->last, &symbol)) {
		walk->out_of_memory = !symbol_table_append(walk->table, symbol);
	}
	walk->last = symbol;
}

/* The extent ends where inlined functions begin and end, but may cover several symbols: each of them gets the line. */
static void add_line_symbols(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct line_walk *walk = context;

	for (uint64_t start = low; start < high;) {
		add_line_symbol(walk, start, file, line);
		bool has_next = walk->next < walk->symbol_count;
		uint64_t next = has_next ? walk->table->functions[walk->next].start : high;
		start = next < high ? next : high;
	}
}

bool symbol_table_add_lines(const struct image *image, struct symbol_table *table)
{
	symbol_table_sort(table);
	struct line_walk walk = {.image = image, .table = table, .symbol_count = table->count};
	image_each_line(image, add_line_symbols, &walk);
	return !walk.out_of_memory;
}
