/* SPDX-License-Identifier: MIT */
/* The functions at an address, from the innermost inlined one outwards, see scopes.h. */
#include "firmware/scopes.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/definitions.h"
#include "firmware/private.h"

#include <dwarf.h>
#include <stdlib.h>

/* A range of a scope as in DWARF. */
struct scope_range {
	uint64_t low, high;
	size_t scope;
	unsigned depth;
};

/* The state of a walk over the functions of the tree. */
struct scope_walk {
	const struct image *image;
	struct line_units *units;
	struct definitions definitions;
	const struct line_unit *unit;
	struct scopes *scopes;
	size_t *scope_of; /* indexed by function of the tree */
	struct scope_range *ranges;
	size_t range_count;
};

/* --- Range lists (DWARF 5, 2.17.3). */

/* Up to version 4: pairs of addresses, the last one 0 and 0. */
static uint64_t count_pairs(struct dwarf_cursor cursor, unsigned address_size)
{
	uint64_t count = 0;

	for (uint64_t low = 1, high = 1; (low != 0 || high != 0) && !cursor.is_truncated; count++) {
		low = dwarf_read_number(&cursor, address_size);
		high = dwarf_read_number(&cursor, address_size);
	}
	return count;
}

/* DWARF 5, 7.25. */
static uint64_t count_entries(struct dwarf_cursor cursor, unsigned address_size)
{
	static const struct {
		unsigned addresses, numbers;
	} operands[] = {
	        [DW_RLE_base_addressx] = {0, 1}, [DW_RLE_startx_endx] = {0, 2},  [DW_RLE_startx_length] = {0, 2},
	        [DW_RLE_offset_pair] = {0, 2},   [DW_RLE_base_address] = {1, 0}, [DW_RLE_start_end] = {2, 0},
	        [DW_RLE_start_length] = {1, 1},
	};
	uint64_t count = 0;
	uint64_t kind;

	do {
		kind = dwarf_read_number(&cursor, 1);
		count++;
		if (kind >= sizeof operands / sizeof *operands)
			return count;
		dwarf_skip(&cursor, (uint64_t)operands[kind].addresses * address_size);
		for (unsigned i = 0; i < operands[kind].numbers; i++)
			dwarf_read_leb128(&cursor);
	} while (kind != DW_RLE_end_of_list && !cursor.is_truncated);
	return count;
}

/* Where the list begins in .debug_rnglists; false if libdw might find it elsewhere. */
static bool find_list(const struct dwarf_sections *sections, const struct dwarf_unit *unit, Dwarf_Attribute *ranges,
                      uint64_t *offset)
{
	Dwarf_Word base;
	Dwarf_Die entry;
	Dwarf_Attribute attribute;

	/* For DW_FORM_rnglistx dwarf_formudata() would return the index, not the offset. */
	if (dwarf_whatform(ranges) != DW_FORM_rnglistx)
		return dwarf_formudata(ranges, offset) == 0;
	if (dwarf_offdie(sections->dwarf, unit->first, &entry) == NULL ||
	    dwarf_attr(&entry, DW_AT_rnglists_base, &attribute) == NULL || dwarf_formudata(&attribute, &base) != 0)
		return false;
	struct dwarf_cursor cursor = {.at = ranges->valp, .end = sections->entries.end};
	uint64_t index = dwarf_read_leb128(&cursor);
	cursor = dwarf_cursor_at(&sections->range_lists, base);
	if (index > dwarf_cursor_left(&cursor))
		return false;
	dwarf_skip(&cursor, index * unit->offset_size);
	*offset = base + dwarf_read_number(&cursor, unit->offset_size);
	return !cursor.is_truncated;
}

/* The number of entries in the list that ranges (DW_AT_ranges of an entry in unit) refers to, including those that
 * libdw skips. */
static uint64_t count_ranges(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
                             Dwarf_Attribute *ranges)
{
	bool is_old = unit->version < 5;
	const struct dwarf_cursor *section = is_old ? &sections->ranges : &sections->range_lists;
	uint64_t offset;

	if (!find_list(sections, unit, ranges, &offset))
		return dwarf_cursor_left(section);
	struct dwarf_cursor cursor = dwarf_cursor_at(section, offset);
	return is_old ? count_pairs(cursor, unit->address_size) : count_entries(cursor, unit->address_size);
}

/* --- Scopes. */

static bool append_range(struct scope_walk *walk, struct scope_range range)
{
	/* A range up to 2^64 ends at 0. */
	if (range.high == 0 && range.low > 0 && walk->image->address_size == 8)
		range.high = UINT64_MAX;
	/* Code that the linker discarded, or an empty range. */
	if (range.low >= range.high || range.low < walk->unit->discarded_end ||
	    image_code_at(walk->image, range.low) == NULL)
		return true;
	return array_append(&walk->ranges, &walk->range_count, &range, sizeof range);
}

/* libdw skips list entries that are not ranges, and reads the attributes again for each range. */
static bool pay_for_ranges(struct scope_walk *walk, const struct dwarf_function *function, Dwarf_Die *entry)
{
	Dwarf_Attribute ranges;

	if (dwarf_attr(entry, DW_AT_ranges, &ranges) == NULL)
		return true;
	const struct dwarf_unit *unit = &walk->units->tree.units[walk->unit->unit];
	uint64_t count = count_ranges(&walk->units->sections, unit, &ranges);
	return dwarf_pay(&walk->units->budget, DWARF_RANGES, count * (1 + function->cost / 256));
}

/* False: the budget is exceeded. */
static bool add_scope_ranges(struct scope_walk *walk, const struct dwarf_function *function, size_t scope)
{
	Dwarf_Die entry;

	if (dwarf_offdie(walk->units->sections.dwarf, function->offset, &entry) == NULL)
		return true;
	if (!pay_for_ranges(walk, function, &entry))
		return false;
	Dwarf_Addr base = 0, low = 0, high = 0;
	ptrdiff_t offset = 0;
	while ((offset = dwarf_ranges(&entry, offset, &base, &low, &high)) > 0)
		if (!append_range(walk, (struct scope_range){low, high, scope, function->depth}))
			return false;
	return true;
}

/* NULL if name is NULL or when out of memory. */
static const char *short_name(const struct image *image, const char *name)
{
	return name == NULL ? NULL : image_short_name(image, name);
}

/* False when out of memory. */
static bool append_scope(struct scope_walk *walk, const struct dwarf_function *function)
{
	struct definition definition;

	if (!definition_read(&walk->definitions, function->offset, &definition))
		return false;
	const char *name =
	        short_name(walk->image, definition.linkage_name != NULL ? definition.linkage_name : definition.name);
	const char *call_file = short_name(walk->image, definition.call_file);
	const char *file = definition.line > 0 ? short_name(walk->image, definition.file) : NULL;
	const struct scope scope = {
	        .name = name == NULL ? "" : name,
	        .caller = function->parent == DWARF_NONE ? SCOPE_NONE : walk->scope_of[function->parent],
	        .file = file,
	        .line = file == NULL ? 0 : definition.line,
	        .is_external = definition.is_external,
	        .call_file = call_file,
	        .call_line = call_file == NULL ? 0 : definition.call_line,
	};
	return array_append(&walk->scopes->items, &walk->scopes->count, &scope, sizeof scope);
}

/* False: the budget is exceeded. */
static bool add_scopes_of_unit(struct scope_walk *walk)
{
	const struct dwarf_unit *unit = &walk->units->tree.units[walk->unit->unit];

	for (size_t i = unit->first_function; i < unit->function_end; i++) {
		const struct dwarf_function *function = &walk->units->tree.functions[i];

		walk->scope_of[i] = walk->scopes->count;
		if (!append_scope(walk, function) || !add_scope_ranges(walk, function, walk->scope_of[i]))
			return false;
	}
	return true;
}

/* Sorts by start, outer ranges first. */
static int compare_scope_ranges(const void *left, const void *right)
{
	const struct scope_range *a = left;
	const struct scope_range *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return (a->scope > b->scope) - (a->scope < b->scope);
}

/* The state of one pass over the sorted ranges. */
struct flattening {
	const struct scope_range **open; /* entered ranges that may not have ended, innermost last */
	size_t open_count;
	uint64_t position; /* everything before it has a scope */
	struct scope_extent *extents;
	size_t count;
};

static void emit_scope_extent(struct flattening *flattening, uint64_t low, uint64_t high, size_t scope)
{
	struct scope_extent *next = &flattening->extents[flattening->count];

	if (flattening->count > 0 && next[-1].scope == scope && next[-1].high == low) {
		next[-1].high = high;
		return;
	}
	*next = (struct scope_extent){low, high, scope};
	flattening->count++;
}

/* Assigns the bytes up to limit to the entered ranges. Each round ends one of them or reaches the limit. */
static void advance_scopes(struct flattening *flattening, uint64_t limit)
{
	while (flattening->open_count > 0 && flattening->position < limit) {
		const struct scope_range *innermost = flattening->open[flattening->open_count - 1];

		if (innermost->high <= flattening->position) {
			flattening->open_count--;
			continue;
		}
		uint64_t end = innermost->high < limit ? innermost->high : limit;
		emit_scope_extent(flattening, flattening->position, end, innermost->scope);
		flattening->position = end;
	}
}

static void flatten_sorted(struct flattening *flattening, struct scope_range *ranges, size_t count)
{
	qsort(ranges, count, sizeof *ranges, compare_scope_ranges);
	for (size_t i = 0; i < count; i++) {
		advance_scopes(flattening, ranges[i].low);
		flattening->position = ranges[i].low;
		flattening->open[flattening->open_count++] = &ranges[i];
	}
	advance_scopes(flattening, UINT64_MAX);
}

static void flatten_ranges(struct scopes *scopes, struct scope_range *ranges, size_t count)
{
	struct flattening flattening = {
	        .open = calloc(count + 1, sizeof *flattening.open),
	        /* An extent begins where a range starts or where a nested one ends. */
	        .extents = calloc(2 * count + 1, sizeof *flattening.extents),
	};

	if (flattening.open != NULL && flattening.extents != NULL && count > 0)
		flatten_sorted(&flattening, ranges, count);
	free(flattening.open);
	scopes->extents = flattening.extents;
	scopes->extent_count = flattening.count;
}

static void load_scopes(const struct image *image, struct line_units *units, struct scopes *scopes)
{
	*scopes = (struct scopes){.items = NULL};
	struct scope_walk walk = {
	        .image = image,
	        .units = units,
	        .definitions = {.units = units},
	        .scopes = scopes,
	        .scope_of = calloc(units->tree.function_count + 1, sizeof *walk.scope_of),
	};
	bool is_whole = walk.scope_of != NULL;
	for (size_t i = 0; i < units->count && is_whole; i++) {
		walk.unit = &units->items[i];
		is_whole = add_scopes_of_unit(&walk);
	}
	if (is_whole)
		flatten_ranges(scopes, walk.ranges, walk.range_count);
	else
		scopes->count = 0;
	definitions_free(&walk.definitions);
	free(walk.scope_of);
	free(walk.ranges);
}

void image_scopes_free(struct scopes *scopes)
{
	if (scopes == NULL)
		return;
	free(scopes->items);
	free(scopes->extents);
	free(scopes);
}

static const struct scope_extent *extent_at(const struct scopes *scopes, uint64_t address)
{
	size_t at = first_above(scopes->extents, scopes->extent_count, sizeof *scopes->extents,
	                        offsetof(struct scope_extent, high), address);
	bool holds = at < scopes->extent_count && scopes->extents[at].low <= address;

	return holds ? &scopes->extents[at] : NULL;
}

/* Always sets image->private->scopes except when out of memory. */
const struct scopes *image_scopes(const struct image *image)
{
	struct image_private *private = image->private;
	struct line_units *units = image_line_units(image);

	if (private->scopes == NULL && units != NULL) {
		private->scopes = calloc(1, sizeof *private->scopes);
		if (private->scopes != NULL)
			load_scopes(image, units, private->scopes);
	}
	return private->scopes;
}

size_t image_inlines(const struct image *image, uint64_t address, struct image_inline *inlines, size_t capacity)
{
	const struct scopes *scopes = image_scopes(image);
	const struct scope_extent *extent = scopes == NULL ? NULL : extent_at(scopes, address);
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

/* The state of splitting rows for image_each_line() where scopes change. */
struct row_split {
	const struct scopes *scopes;
	size_t next; /* the first extent of a scope that ends after the current row */
	image_line_found found;
	void *context;
};

/* The next boundary of an extent after address, at most limit. */
static uint64_t next_boundary(struct row_split *row_split, uint64_t address, uint64_t limit)
{
	const struct scopes *scopes = row_split->scopes;

	while (row_split->next < scopes->extent_count && scopes->extents[row_split->next].high <= address)
		row_split->next++;
	if (row_split->next == scopes->extent_count)
		return limit;
	const struct scope_extent *extent = &scopes->extents[row_split->next];
	uint64_t boundary = extent->low > address ? extent->low : extent->high;
	return boundary < limit ? boundary : limit;
}

static void split_row(void *context, uint64_t low, uint64_t high, const char *file, int line)
{
	struct row_split *row_split = context;

	for (uint64_t end; low < high; low = end) {
		end = next_boundary(row_split, low, high);
		row_split->found(row_split->context, low, end, file, line);
	}
}

void image_each_line(const struct image *image, image_line_found found, void *context)
{
	struct row_split row_split = {.scopes = image_scopes(image), .found = found, .context = context};

	if (row_split.scopes != NULL)
		image_each_row(image, split_row, &row_split);
}
