/* SPDX-License-Identifier: MIT */
/* The functions at an address, from the innermost inlined one outwards. */
#include "firmware/private.h"
#include "firmware/scopes.h"

#include <stdlib.h>

/* Always sets image->private->scopes except when out of memory. */
const struct scopes *image_scopes(const struct image *image)
{
	struct image_private *private = image->private;
	struct line_units *units = image_line_units(image);
	if (private->scopes == NULL && units != NULL) {
		private->scopes = calloc(1, sizeof *private->scopes);
		if (private->scopes != NULL)
			scopes_load(image, units, private->scopes);
	}
	return private->scopes;
}

size_t image_inlines(const struct image *image, uint64_t address, struct image_inline *inlines, size_t capacity)
{
	const struct scopes *scopes = image_scopes(image);
	const struct scope_extent *extent = scopes == NULL ? NULL : scopes_extent_at(scopes, address);
	size_t index = extent == NULL ? SCOPE_NONE : extent->scope;
	size_t count = 0;
	struct image_inline at = {.file = NULL};
	image_instruction_line(image, address, &at.file, &at.line);
	/* Terminates, because callers have lower indices than the scopes inlined into them. */
	for (; index != SCOPE_NONE && count < capacity; index = scopes->items[index].caller) {
		const struct scope *scope = &scopes->items[index];
		at.name = scope->name;
		inlines[count++] = at;
		at = (struct image_inline){.file = scope->call_file, .line = scope->call_line};
	}
	return count;
}

const char *image_compilation_folder(const struct image *image)
{
	const struct line_units *units = image_line_units(image);
	const char *folder = units == NULL || units->count == 0 ? NULL : line_unit_folder(&units->items[0].entry);
	return folder == NULL ? NULL : image_short_name(image, folder);
}

/* Splits rows for image_each_line() where scopes change. */
struct cutting {
	const struct scopes *scopes;
	size_t next; /* the first extent of a scope that ends after the current row */
	image_line_found found;
	void *context;
};

/* The next boundary of an extent after address, at most limit. */
static uint64_t next_cut(struct cutting *cutting, uint64_t address, uint64_t limit)
{
	const struct scopes *scopes = cutting->scopes;
	while (cutting->next < scopes->extent_count && scopes->extents[cutting->next].high <= address)
		cutting->next++;
	if (cutting->next == scopes->extent_count)
		return limit;
	const struct scope_extent *extent = &scopes->extents[cutting->next];
	uint64_t cut = extent->low > address ? extent->low : extent->high;
	return cut < limit ? cut : limit;
}

static void cut_row(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct cutting *cutting = context;
	for (uint64_t end; low < high; low = end) {
		end = next_cut(cutting, low, high);
		cutting->found(cutting->context, low, end, file, line);
	}
}

void image_each_line(const struct image *image, image_line_found found, void *context)
{
	struct cutting cutting = {.scopes = image_scopes(image), .found = found, .context = context};
	if (cutting.scopes != NULL)
		image_each_row(image, cut_row, &cutting);
}

void image_scopes_free(struct scopes *scopes)
{
	if (scopes == NULL)
		return;
	scopes_free(scopes);
	free(scopes);
}
