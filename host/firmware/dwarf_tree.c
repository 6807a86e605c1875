/* SPDX-License-Identifier: MIT */
/* See dwarf_tree.h. */
#include "firmware/dwarf_tree.h"

#include "base/array.h"
#include "base/search.h"
#include "firmware/bits.h"

#include <dwarf.h>
#include <stdlib.h>

/* Several passes follow chains of inlined functions, so their length must not grow with the file. */
#define DEPTH_MAX 100

/* The layout of entries (DWARF 5, 7.5.3). */
struct abbreviation {
	uint64_t code;
	uint32_t tag;
	bool has_children;
	bool has_code;     /* DW_AT_low_pc or DW_AT_ranges */
	size_t first_form; /* first of the table's forms */
	uint32_t form_count;
};

/* A table of .debug_abbrev. */
struct abbreviations {
	struct abbreviation *items; /* in ascending order of code, each code once */
	size_t count;
	uint16_t *forms;
	size_t form_count;
	uint64_t size; /* in bytes of the section */
};

struct tree_walk {
	const struct dwarf_sections *sections;
	struct dwarf_budget *budget;
	struct dwarf_tree *tree;
	struct abbreviations table;
	uint64_t table_offset; /* UINT64_MAX: none read yet */
};

/* The state of a walk over a unit. */
struct unit_place {
	const struct dwarf_unit *unit;
	struct dwarf_cursor cursor;
	unsigned depth;
	size_t functions[DEPTH_MAX]; /* by depth: the innermost function there */
};

/* --- Abbreviations. */

/* Unknown forms are stored as 0, which is not a valid form. */
static bool read_attributes(struct dwarf_cursor *cursor, struct abbreviations *table, struct abbreviation *abbreviation)
{
	for (;;) {
		uint64_t name = dwarf_read_leb128(cursor);
		uint64_t form = dwarf_read_leb128(cursor);

		if (form == DW_FORM_implicit_const)
			dwarf_read_leb128(cursor);
		if (cursor->is_truncated || (name == 0 && form == 0))
			return true;
		abbreviation->has_code |= name == DW_AT_low_pc || name == DW_AT_ranges;
		abbreviation->form_count++;
		uint16_t known = (uint16_t)(form > UINT16_MAX ? 0 : form);
		if (!array_append(&table->forms, &table->form_count, &known, sizeof known))
			return false;
	}
}

/* If several have the same code, libdw uses the first. */
static int compare_codes(const void *left, const void *right)
{
	const struct abbreviation *a = left, *b = right;

	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	return (a->first_form > b->first_form) - (a->first_form < b->first_form);
}

static void sort_abbreviations(struct abbreviations *table)
{
	size_t kept = 0;

	if (table->count > 0)
		qsort(table->items, table->count, sizeof *table->items, compare_codes);
	for (size_t i = 0; i < table->count; i++)
		if (i == 0 || table->items[i].code != table->items[kept - 1].code)
			table->items[kept++] = table->items[i];
	table->count = kept;
}

/* Reads the table at cursor up to the first damage; false when out of memory. */
static bool read_abbreviations(struct dwarf_cursor cursor, struct abbreviations *table)
{
	const uint8_t *start = cursor.at;

	*table = (struct abbreviations){.items = NULL};
	for (;;) {
		uint64_t code = dwarf_read_leb128(&cursor);

		if (code == 0 || code > UINT32_MAX)
			break;
		struct abbreviation next = {.code = code, .first_form = table->form_count};
		next.tag = (uint32_t)dwarf_read_leb128(&cursor);
		next.has_children = dwarf_read_number(&cursor, 1) != 0;
		if (!read_attributes(&cursor, table, &next))
			return false;
		if (cursor.is_truncated)
			break;
		if (!array_append(&table->items, &table->count, &next, sizeof next))
			return false;
	}
	table->size = (uint64_t)(cursor.at - start);
	sort_abbreviations(table);
	return true;
}

static void free_abbreviations(struct abbreviations *table)
{
	free(table->items);
	free(table->forms);
}

/* NULL: the table has no such code. O(log n); O(1) for the codes that compilers generate. */
static const struct abbreviation *find_abbreviation(const struct abbreviations *table, uint64_t code)
{
	const struct abbreviation *items = table->items;

	if (items == NULL)
		return NULL;
	if (code > 0 && code <= table->count && items[code - 1].code == code)
		return &items[code - 1];
	size_t next = first_above(items, table->count, sizeof *items, offsetof(struct abbreviation, code), code);
	return next > 0 && items[next - 1].code == code ? &items[next - 1] : NULL;
}

/* --- Entries. */

/* DWARF 5, 7.5.1. False: there is no readable unit at cursor. */
static bool read_unit_header(struct dwarf_cursor *cursor, struct dwarf_unit *unit)
{
	dwarf_read_length(cursor, &unit->offset_size);
	unit->version = (unsigned)dwarf_read_number(cursor, 2);
	if (cursor->is_truncated || unit->version < 2 || unit->version > 5)
		return false;
	unsigned type = unit->version < 5 ? DW_UT_compile : (unsigned)dwarf_read_number(cursor, 1);
	if (unit->version >= 5)
		unit->address_size = (unsigned)dwarf_read_number(cursor, 1);
	unit->abbreviations = dwarf_read_number(cursor, unit->offset_size);
	if (unit->version < 5)
		unit->address_size = (unsigned)dwarf_read_number(cursor, 1);
	if (type == DW_UT_skeleton || type == DW_UT_split_compile)
		dwarf_skip(cursor, 8);
	if (type == DW_UT_type || type == DW_UT_split_type)
		dwarf_skip(cursor, 8 + unit->offset_size);
	return !cursor->is_truncated && (unit->address_size == 4 || unit->address_size == 8);
}

/* libdw reads the table again for each unit, so each unit pays for it. */
static bool load_abbreviations(struct tree_walk *walk, const struct dwarf_unit *unit)
{
	if (unit->abbreviations != walk->table_offset) {
		free_abbreviations(&walk->table);
		walk->table_offset = unit->abbreviations;
		if (!read_abbreviations(dwarf_cursor_at(&walk->sections->abbreviations, unit->abbreviations),
		                        &walk->table))
			return false;
	}
	return dwarf_pay(walk->budget, DWARF_ABBREVIATIONS, walk->table.size);
}

static bool append_function(struct tree_walk *walk, struct dwarf_function function)
{
	return dwarf_pay(walk->budget, DWARF_FUNCTIONS, 1) &&
	       array_append(&walk->tree->functions, &walk->tree->function_count, &function, sizeof function);
}

/* False: the budget is exceeded. */
static bool note_entry(struct tree_walk *walk, struct unit_place *place, uint64_t offset, uint64_t size,
                       const struct abbreviation *form)
{
	set_bit(walk->tree->starts, offset);
	if (place->depth >= DEPTH_MAX)
		return true;
	size_t parent = place->depth == 0 ? DWARF_NONE : place->functions[place->depth - 1];
	place->functions[place->depth] = parent;
	bool is_inlined = form->tag == DW_TAG_inlined_subroutine;
	if (!is_inlined && form->tag != DW_TAG_subprogram)
		return true;
	place->functions[place->depth] = is_inlined || form->has_code ? walk->tree->function_count : DWARF_NONE;
	if (!is_inlined && !form->has_code)
		return true;
	uint64_t cost = size + form->form_count;
	return append_function(walk, (struct dwarf_function){
	                                     .offset = offset,
	                                     .parent = is_inlined ? parent : DWARF_NONE,
	                                     .cost = cost > UINT32_MAX ? UINT32_MAX : (uint32_t)cost,
	                                     .depth = (uint8_t)place->depth,
	                                     .is_inlined = is_inlined,
	                             });
}

/* Advances to the next entry. False at the end of the unit or if the budget is exceeded. */
static bool read_next_entry(struct tree_walk *walk, struct unit_place *place)
{
	uint64_t offset = (uint64_t)(place->cursor.at - walk->sections->entries.at);
	const struct dwarf_unit *unit = place->unit;
	uint64_t code = dwarf_read_leb128(&place->cursor);

	if (code == 0)
		return !place->cursor.is_truncated && place->depth > 0 && --place->depth > 0;
	const struct abbreviation *form = find_abbreviation(&walk->table, code);
	if (form == NULL || !dwarf_pay(walk->budget, DWARF_ATTRIBUTES, (uint64_t)form->form_count + 1))
		return false;
	const uint16_t *forms = walk->table.forms; /* NULL: no abbreviation has attributes */
	for (uint32_t i = 0; forms != NULL && i < form->form_count; i++)
		if (!dwarf_skip_form(&place->cursor, forms[form->first_form + i], unit))
			return false;
	uint64_t size = (uint64_t)(place->cursor.at - walk->sections->entries.at) - offset;
	if (!note_entry(walk, place, offset, size, form))
		return false;
	place->depth += form->has_children ? 1 : 0;
	return place->depth > 0;
}

/* False when out of memory or if the budget is exceeded. */
static bool walk_entries_of_unit(struct tree_walk *walk, struct dwarf_cursor cursor, struct dwarf_unit *unit)
{
	struct unit_place place = {.unit = unit, .cursor = cursor};

	if (!load_abbreviations(walk, unit))
		return false;
	unit->first_function = walk->tree->function_count;
	while (read_next_entry(walk, &place))
		;
	unit->function_end = walk->tree->function_count;
	return walk->budget->exceeded == NULL && dwarf_pay(walk->budget, DWARF_UNITS, 1) &&
	       array_append(&walk->tree->units, &walk->tree->unit_count, unit, sizeof *unit);
}

bool dwarf_tree_read(const struct dwarf_sections *sections, struct dwarf_budget *budget, struct dwarf_tree *tree)
{
	struct tree_walk walk = {
	        .sections = sections,
	        .budget = budget,
	        .tree = tree,
	        .table_offset = UINT64_MAX,
	};
	struct dwarf_cursor rest = sections->entries;

	*tree = (struct dwarf_tree){.size = dwarf_cursor_left(&rest)};
	tree->starts = calloc(tree->size / 8 + 1, 1);
	bool is_whole = tree->starts != NULL;
	while (is_whole && dwarf_cursor_left(&rest) > 0) {
		struct dwarf_unit unit = {.version = 0};
		struct dwarf_cursor cursor = rest;

		if (!read_unit_header(&cursor, &unit))
			break;
		unit.first = (uint64_t)(cursor.at - sections->entries.at);
		unit.end = (uint64_t)(cursor.end - sections->entries.at);
		is_whole = walk_entries_of_unit(&walk, cursor, &unit);
		rest.at = cursor.end;
	}
	free_abbreviations(&walk.table);
	return is_whole;
}

void dwarf_tree_free(struct dwarf_tree *tree)
{
	free(tree->units);
	free(tree->functions);
	free(tree->starts);
}

bool dwarf_tree_has_entry(const struct dwarf_tree *tree, uint64_t offset)
{
	return offset < tree->size && has_bit(tree->starts, offset);
}

size_t dwarf_tree_unit_at(const struct dwarf_tree *tree, uint64_t offset)
{
	size_t unit = first_above(tree->units, tree->unit_count, sizeof *tree->units, offsetof(struct dwarf_unit, end),
	                          offset);

	return unit < tree->unit_count && tree->units[unit].first <= offset ? unit : DWARF_NONE;
}
