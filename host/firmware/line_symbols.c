/* SPDX-License-Identifier: MIT */
/* See line_symbols.h. */
#include "firmware/line_symbols.h"

#include "base/array.h"
#include "firmware/private.h"

#include <stdlib.h>
#include <string.h>

/* Addresses where the (inlined) function of the code changes, in ascending order. */
struct changes {
	uint64_t *addresses;
	size_t count;
	bool enough_memory;
};

struct line_walk {
	const struct image *image;
	struct symbol_table *table;
	size_t symbol_count; /* the original symbols of the table, by address */
	size_t next;         /* the first symbol after the current code */
	struct changes changes;
	size_t next_change; /* the first change after the current code */
	struct symbol last; /* the symbol of the previous code */
	bool enough_memory;
};

static void add_change(struct changes *changes, uint64_t address)
{
	if (!changes->enough_memory || (changes->count > 0 && changes->addresses[changes->count - 1] == address))
		return;
	uint64_t *addresses = array_reserve(changes->addresses, sizeof *addresses, changes->count);
	changes->enough_memory = addresses != NULL;
	if (addresses == NULL)
		return;
	changes->addresses = addresses;
	changes->addresses[changes->count++] = address;
}

static void add_extent(void *context, uint64_t low, uint64_t high)
{
	add_change(context, low);
	add_change(context, high);
}

/* The last symbol at or before address, or NULL. */
static struct symbol *advance(struct line_walk *walk, uint64_t address)
{
	while (walk->next < walk->symbol_count && walk->table->symbols[walk->next].start <= address)
		walk->next++;
	return walk->next == 0 ? NULL : &walk->table->symbols[walk->next - 1];
}

/* The next change of function after address; at most high. */
static uint64_t next_change(struct line_walk *walk, uint64_t address, uint64_t high)
{
	const struct changes *changes = &walk->changes;
	const struct symbol *symbols = walk->table->symbols;
	while (walk->next_change < changes->count && changes->addresses[walk->next_change] <= address)
		walk->next_change++;
	if (walk->next_change < changes->count && changes->addresses[walk->next_change] < high)
		high = changes->addresses[walk->next_change];
	if (walk->next < walk->symbol_count && symbols[walk->next].start < high)
		high = symbols[walk->next].start;
	return high;
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
	if (owner == NULL || !walk->enough_memory)
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
		walk->enough_memory = symbol_table_append(walk->table, symbol);
	}
	walk->last = symbol;
}

static void add_lines(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct line_walk *walk = context;
	for (uint64_t start = low; start < high; start = next_change(walk, start, high))
		add_line(walk, start, file, line);
}

bool line_symbols_add(const struct image *image, struct symbol_table *table)
{
	symbol_table_settle(table);
	struct line_walk walk = {
	        .image = image,
	        .table = table,
	        .symbol_count = table->count,
	        .changes = {.enough_memory = true},
	        .enough_memory = true,
	};
	image_each_inline(image, add_extent, &walk.changes);
	if (walk.changes.enough_memory)
		image_each_line(image, add_lines, &walk);
	free(walk.changes.addresses);
	return walk.changes.enough_memory && walk.enough_memory;
}
