/* SPDX-License-Identifier: MIT */
/* The recorder's code in a firmware. */
#include "firmware/private.h"

#include <stdlib.h>
#include <string.h>

/* Without the linker fragment the recorder's functions may be anywhere, but all have such a name. Only the beginning
 * counts, because a compiler may add suffixes. */
static bool is_own_name(const char *name)
{
	return strncmp(name, "bareprof_", strlen("bareprof_")) == 0;
}

static bool is_hook_name(const char *name)
{
	return strcmp(name, "__gnu_mcount_nc") == 0 || strcmp(name, "_mcount") == 0 ||
	       strncmp(name, "__cyg_profile_func_", strlen("__cyg_profile_func_")) == 0;
}

/* Other profilers define the same hooks. So they are the recorder's only if it has other functions as well. */
static size_t collect_named(const struct image *image, struct image_range *ranges)
{
	struct elf_symbol symbol;
	size_t count = 0, hooks = 0;

	for (size_t i = 0; i < image->private->symbol_count; i++) {
		if (!image_symbol_at(image, i, &symbol) || !symbol.defined || symbol.size == 0 ||
		    !image_names_function(&symbol) || !(is_own_name(symbol.name) || is_hook_name(symbol.name)))
			continue;
		hooks += is_hook_name(symbol.name);
		ranges[count++] = (struct image_range){symbol.value, symbol.value + symbol.size};
	}
	return count > hooks ? count : 0;
}

static int compare_ranges(const void *left, const void *right)
{
	const struct image_range *first = left, *second = right;

	return (first->start > second->start) - (first->start < second->start);
}

/* Sorts the ranges and joins those that overlap or touch, such as two names of one function. */
static size_t join_ranges(struct image_range *ranges, size_t count)
{
	size_t joined = 0;

	qsort(ranges, count, sizeof *ranges, compare_ranges);
	for (size_t i = 0; i < count; i++) {
		struct image_range *last = &ranges[joined > 0 ? joined - 1 : 0];

		if (joined == 0 || ranges[i].start > last->end)
			ranges[joined++] = ranges[i];
		else if (ranges[i].end > last->end)
			last->end = ranges[i].end;
	}
	return joined;
}

enum status image_load_recorder(struct image *image, struct error *error)
{
	uint64_t start, end;

	image->recorder = calloc(image->private->symbol_count + 1, sizeof *image->recorder);
	if (image->recorder == NULL)
		return status_no_memory(error, image->path);
	if (image_symbol(image, "bareprof_code_start", &start) && image_symbol(image, "bareprof_code_end", &end)) {
		image->recorder[0] = (struct image_range){start, end};
		image->recorder_count = end > start;
	} else {
		image->recorder_count = join_ranges(image->recorder, collect_named(image, image->recorder));
	}
	return STATUS_OK;
}
