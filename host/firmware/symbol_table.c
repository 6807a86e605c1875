/* SPDX-License-Identifier: MIT */
/* See symbol_table.h. */
#include "firmware/symbol_table.h"

#include "base/array.h"

#include <stdlib.h>

bool symbol_table_append(struct symbol_table *table, struct symbol symbol)
{
	symbol.order = table->appended++;
	return array_append(&table->symbols, &table->count, &symbol, sizeof symbol);
}

void symbol_table_free(struct symbol_table *table)
{
	free(table->symbols);
	*table = (struct symbol_table){.symbols = NULL};
}

static int underscores_of(const struct symbol *symbol)
{
	if (symbol->name[0] != '_')
		return 0;
	return symbol->name[1] != '_' ? 1 : 2;
}

/* Orders by address, with the preferred symbol first. */
static int compare_symbols(const void *left, const void *right)
{
	const struct symbol *a = left;
	const struct symbol *b = right;
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

void symbol_table_settle(struct symbol_table *table)
{
	if (table->count == 0)
		return;
	qsort(table->symbols, table->count, sizeof *table->symbols, compare_symbols);
	size_t kept = 1;
	for (size_t i = 1; i < table->count; i++)
		if (table->symbols[i].start != table->symbols[kept - 1].start)
			table->symbols[kept++] = table->symbols[i];
		else if (table->symbols[i].order < table->symbols[kept - 1].order)
			table->symbols[kept - 1].order = table->symbols[i].order;
	table->count = kept;
}

static uint64_t end_of_last(const struct image *image, uint64_t start)
{
	const struct image_code *code = image_code_at(image, start);
	return code == NULL ? start + 1 : code->address + code->size;
}

struct image_function *symbol_table_divide(const struct image *image, const struct symbol_table *table)
{
	struct image_function *functions = calloc(table->count + 1, sizeof *functions);
	for (size_t i = 0; functions != NULL && i < table->count; i++) {
		const struct symbol *symbol = &table->symbols[i];
		bool is_last = i + 1 == table->count;
		functions[i] = (struct image_function){
		        .name = symbol->name,
		        .start = symbol->start,
		        .end = is_last ? end_of_last(image, symbol->start) : symbol[1].start,
		        .is_label = symbol->is_label,
		        .is_line = symbol->is_line,
		        .is_local = symbol->is_local,
		        .order = symbol->order,
		        .file = symbol->file,
		        .line = symbol->line,
		        .first = i,
		        .inlined_into = IMAGE_NOT_INLINED,
		};
	}
	return functions;
}
