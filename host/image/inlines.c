/* SPDX-License-Identifier: MIT */
/* The functions whose code lies at an address, from the inside out. Knows nothing of how they are found (scopes.h). */
#include "image/private.h"
#include "image/scopes.h"

#include <dwarf.h>
#include <stdlib.h>

struct image_scopes {
	struct scopes scopes;
};

/* Always leaves something at image->private->scopes unless memory is short. */
const struct scopes *image_scopes(const struct image *image)
{
	struct image_private *private = image->private;
	const struct line_units *units = image_line_units(image);
	if (private->scopes == NULL && units != NULL) {
		private->scopes = calloc(1, sizeof *private->scopes);
		if (private->scopes != NULL)
			scopes_load(image, units, &private->scopes->scopes);
	}
	return private->scopes == NULL ? NULL : &private->scopes->scopes;
}

/* libdw follows the entries that an entry stands for, so many at most. */
const char *image_scope_name(const struct image *image, const struct scope *scope)
{
	static const unsigned attributes[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
	Dwarf_Die entry = scope->entry;
	const char *name = NULL;
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes && name == NULL; i++) {
		Dwarf_Attribute attribute;
		if (dwarf_attr_integrate(&entry, attributes[i], &attribute) != NULL)
			name = dwarf_formstring(&attribute);
	}
	name = name == NULL ? NULL : image_short_name(image, name);
	return name == NULL ? "" : name;
}

static bool number_of(const struct scope *scope, unsigned name, Dwarf_Word *number)
{
	Dwarf_Die entry = scope->entry;
	Dwarf_Attribute attribute;
	return dwarf_attr(&entry, name, &attribute) != NULL && dwarf_formudata(&attribute, number) == 0;
}

/* Where the call stood that the scope replaced. */
static void find_call(const struct image *image, const struct scope *scope, struct image_inline *caller)
{
	Dwarf_Word file = 0, line = 0;
	Dwarf_Files *files;
	size_t file_count;
	Dwarf_Die unit = image_line_units(image)->items[scope->unit].entry;
	if (!number_of(scope, DW_AT_call_file, &file) || !number_of(scope, DW_AT_call_line, &line) || line == 0 ||
	    line > INT32_MAX || dwarf_getsrcfiles(&unit, &files, &file_count) != 0 || file >= file_count)
		return;
	const char *name = dwarf_filesrc(files, file, NULL, NULL);
	name = name == NULL ? NULL : image_short_name(image, name);
	if (name == NULL)
		return;
	caller->file = name;
	caller->line = (int)line;
}

size_t image_inlines(const struct image *image, uint64_t address, struct image_inline *inlines, size_t capacity)
{
	const struct scopes *scopes = image_scopes(image);
	const struct scope_stretch *stretch = scopes == NULL ? NULL : scopes_stretch_at(scopes, address);
	size_t index = stretch == NULL ? SCOPE_NONE : stretch->scope;
	size_t count = 0;
	struct image_inline at = {.file = NULL};
	image_instruction_line(image, address, &at.file, &at.line);
	/* Callers come before what was inlined into them, so this ends. */
	for (; index != SCOPE_NONE && count < capacity; index = scopes->items[index].caller) {
		const struct scope *scope = &scopes->items[index];
		at.name = image_scope_name(image, scope);
		inlines[count++] = at;
		at = (struct image_inline){.file = NULL};
		find_call(image, scope, &at);
	}
	return count;
}

const char *image_compilation_folder(const struct image *image)
{
	const struct line_units *units = image_line_units(image);
	if (units == NULL || units->count == 0)
		return NULL;
	Dwarf_Die unit = units->items[0].entry;
	Dwarf_Attribute attribute;
	const char *folder =
	        dwarf_attr(&unit, DW_AT_comp_dir, &attribute) == NULL ? NULL : dwarf_formstring(&attribute);
	return folder == NULL ? NULL : image_short_name(image, folder);
}

/* Rows on their way to the user of image_each_line(). */
struct cutting {
	const struct scopes *scopes;
	size_t next; /* the first stretch of a scope that ends behind the row at hand */
	image_line_found found;
	void *context;
};

/* Where the stretch begins or ends that comes next behind address, at most limit. */
static uint64_t next_cut(struct cutting *cutting, uint64_t address, uint64_t limit)
{
	const struct scopes *scopes = cutting->scopes;
	while (cutting->next < scopes->stretch_count && scopes->stretches[cutting->next].high <= address)
		cutting->next++;
	if (cutting->next == scopes->stretch_count)
		return limit;
	const struct scope_stretch *stretch = &scopes->stretches[cutting->next];
	uint64_t cut = stretch->low > address ? stretch->low : stretch->high;
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

void image_each_inline(const struct image *image, image_inline_found found, void *context)
{
	const struct scopes *scopes = image_scopes(image);
	for (size_t i = 0; scopes != NULL && i < scopes->stretch_count; i++)
		found(context, scopes->stretches[i].low, scopes->stretches[i].high);
}

void image_scopes_free(struct image_scopes *scopes)
{
	if (scopes == NULL)
		return;
	scopes_free(&scopes->scopes);
	free(scopes);
}
