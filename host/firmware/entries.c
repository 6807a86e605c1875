/* SPDX-License-Identifier: MIT */
/* All names of functions, with the source files of local ones (gABI, "Symbol Table": STT_FILE). */
#include "firmware/private.h"

#include <stdlib.h>
#include <string.h>

/* The source file to which the following local symbols belong. */
struct unit {
	const char *source; /* NULL: unknown */
	size_t number;
};

/* Linkers write an empty file name before the local symbols that they define; GCC names link-time optimized code
 * "<artificial>". */
static bool is_source(const char *name)
{
	return name[0] != '\0' && name[0] != '<';
}

/* False when out of memory. */
static bool begin_unit(const struct image *image, const struct elf_symbol *symbol, size_t number, struct unit *unit)
{
	*unit = (struct unit){.source = NULL};
	if (!is_source(symbol->name))
		return true;
	*unit = (struct unit){.source = image_short_name(image, symbol->name), .number = number};
	return unit->source != NULL;
}

static struct image_entry entry_of(const struct elf_symbol *symbol, const char *name, const struct unit *unit)
{
	struct image_entry entry = {.name = name, .address = symbol->value, .is_local = symbol->binding == STB_LOCAL};
	if (entry.is_local) {
		entry.source = unit->source;
		entry.unit = unit->number;
	}
	return entry;
}

static bool collect(const struct image *image, struct image_entry *entries, size_t *count)
{
	struct unit unit = {.source = NULL};
	for (size_t i = 0; i < image->private->symbol_count; i++) {
		struct elf_symbol symbol;
		if (!image_symbol_at(image, i, &symbol))
			continue;
		if (symbol.type == STT_FILE) {
			if (!begin_unit(image, &symbol, i, &unit))
				return false;
		} else if (image_names_code(&symbol) && symbol.type != STT_OBJECT) {
			const char *name = image_short_name(image, symbol.name);
			if (name == NULL)
				return false;
			entries[(*count)++] = entry_of(&symbol, name, &unit);
		}
	}
	return true;
}

static int compare_entries(const void *left, const void *right)
{
	const struct image_entry *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	int by_name = strcmp(a->name, b->name);
	return by_name != 0 ? by_name : (a->unit > b->unit) - (a->unit < b->unit);
}

bool image_entries(const struct image *image, struct image_entry **entries, size_t *count)
{
	*count = 0;
	*entries = calloc(image->private->symbol_count + 1, sizeof **entries);
	if (*entries == NULL)
		return false;
	if (!collect(image, *entries, count)) {
		free(*entries);
		*entries = NULL;
		return false;
	}
	if (*count > 0)
		qsort(*entries, *count, sizeof **entries, compare_entries);
	return true;
}
