/* SPDX-License-Identifier: MIT */
/* All names of functions, with the source files of local ones (gABI, "Symbol Table": STT_FILE). */
#include "firmware/private.h"

#include <stdlib.h>
#include <string.h>

/* Linkers write an empty file name before the local symbols that they define; GCC names link-time optimised code
 * "<artificial>". */
static bool is_source(const char *name)
{
	return name[0] != '\0' && name[0] != '<';
}

/* False when out of memory. */
static bool collect_entries(const struct image *image, struct image_entry *entries, size_t *count)
{
	/* The file that the following local symbols belong to. */
	const char *source = NULL;
	size_t unit = 0;

	for (size_t i = 0; i < image->private->symbol_count; i++) {
		struct elf_symbol symbol;

		if (!image_symbol_at(image, i, &symbol))
			continue;
		bool begins_unit = symbol.type == STT_FILE;
		bool is_entry = image_names_code(&symbol) && symbol.type != STT_OBJECT;
		const char *name = begins_unit || is_entry ? image_short_name(image, symbol.name) : "";
		if (name == NULL)
			return false;
		if (begins_unit) {
			source = is_source(name) ? name : NULL;
			unit = source == NULL ? 0 : i;
		} else if (is_entry) {
			bool is_local = symbol.binding == STB_LOCAL;

			entries[(*count)++] = (struct image_entry){
			        .name = name,
			        .address = symbol.value,
			        .is_local = is_local,
			        .source = is_local ? source : NULL,
			        .unit = is_local ? unit : 0,
			};
		}
	}
	return true;
}

static int compare_image_entries(const void *left, const void *right)
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
	if (!collect_entries(image, *entries, count)) {
		free(*entries);
		*entries = NULL;
		return false;
	}
	if (*count > 0)
		qsort(*entries, *count, sizeof **entries, compare_image_entries);
	return true;
}
