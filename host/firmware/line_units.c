/* SPDX-License-Identifier: MIT */
/* See line_units.h. */
#include "firmware/line_units.h"

#include "base/array.h"
#include "firmware/dwarf_tables.h"
#include "firmware/private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Whether [0, end) of a unit is live code: a function starts at 0 and one ends at end. */
static bool is_alive_at_zero(const struct image *image, uint64_t end)
{
	const struct image_function *first = image_sized_function_at(image, 0);
	const struct image_function *last = image_sized_function_at(image, end - 1);
	return first != NULL && first->start == 0 && last != NULL && last->end == end;
}

static uint64_t dead_end_of_entry(const struct image *image, Dwarf_Die *entry)
{
	Dwarf_Addr low = 0;
	Dwarf_Addr high = 0;
	if (dwarf_lowpc(entry, &low) != 0 || low != 0 || dwarf_highpc(entry, &high) != 0 || high == 0)
		return 0;
	return is_alive_at_zero(image, high) ? 0 : high;
}

/* Considers the unit itself (assembly has no other entries) and its top-level functions. */
static uint64_t dead_end_of_unit(const struct image *image, const struct line_units *units, struct line_unit *unit)
{
	const struct dwarf_unit *place = &units->tree.units[unit->unit];
	uint64_t dead_end = dead_end_of_entry(image, &unit->entry);
	for (size_t i = place->first_function; i < place->function_end; i++) {
		const struct dwarf_function *function = &units->tree.functions[i];
		Dwarf_Die entry;
		if (function->depth != 1 || function->is_inlined ||
		    dwarf_offdie(units->sections.dwarf, function->offset, &entry) == NULL)
			continue;
		uint64_t end = dead_end_of_entry(image, &entry);
		dead_end = end > dead_end ? end : dead_end;
	}
	return dead_end;
}

/* Finds the unit's table in .debug_line. False if it has none, or is a part of another file's unit. */
static bool table_offset(Dwarf_Die *unit, uint64_t *offset)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	if (dwarf_hasattr(unit, DW_AT_GNU_dwo_name) || dwarf_hasattr(unit, DW_AT_dwo_name))
		return false;
	if (dwarf_attr(unit, DW_AT_stmt_list, &attribute) == NULL || dwarf_formudata(&attribute, &value) != 0)
		return false;
	*offset = value;
	return true;
}

static size_t folder_length(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_attr(unit, DW_AT_comp_dir, &attribute) == NULL ? NULL : dwarf_formstring(&attribute);
	return folder == NULL ? 0 : strlen(folder);
}

/* Offsets in .debug_line of tables already tried and of tables that libdw cannot read. Several units may share a table,
 * and libdw caches only readable ones. */
struct tables {
	uint8_t *tried, *damaged;
};

static bool get_bit(const uint8_t *bits, uint64_t index)
{
	return (bits[index / 8] >> index % 8 & 1) != 0;
}

static void set_bit(uint8_t *bits, uint64_t index)
{
	bits[index / 8] |= (uint8_t)(1u << index % 8);
}

/* Loads the rows of a unit; false if it has none. */
static bool load_rows(struct line_units *units, struct tables *tables, struct line_unit *unit)
{
	struct dwarf_unit *place = &units->tree.units[unit->unit];
	uint64_t offset;
	if (!table_offset(&unit->entry, &offset) || offset >= dwarf_cursor_left(&units->sections.lines) ||
	    get_bit(tables->damaged, offset))
		return false;
	bool is_new = !get_bit(tables->tried, offset);
	set_bit(tables->tried, offset);
	place->has_files = (!is_new || dwarf_pay_table(&units->sections, &units->budget, place, offset,
	                                               folder_length(&unit->entry))) &&
	                   dwarf_getsrclines(&unit->entry, &unit->rows, &unit->row_count) == 0;
	if (!place->has_files)
		set_bit(tables->damaged, offset);
	return place->has_files && unit->row_count > 0;
}

/* False when out of memory or if the budget is exceeded. */
static bool load_units(const struct image *image, struct line_units *units, struct tables *tables)
{
	for (size_t i = 0; i < units->tree.unit_count && units->budget.exceeded == NULL; i++) {
		struct line_unit unit = {.unit = i};
		if (dwarf_offdie(units->sections.dwarf, units->tree.units[i].first, &unit.entry) == NULL ||
		    !load_rows(units, tables, &unit))
			continue;
		unit.dead_end = dead_end_of_unit(image, units, &unit);
		if (!array_append(&units->items, &units->count, &unit, sizeof unit))
			return false;
	}
	return units->budget.exceeded == NULL;
}

static bool load(const struct image *image, struct line_units *units, struct tables *tables)
{
	dwarf_sections_open(image, &units->budget, &units->sections);
	if (units->sections.dwarf == NULL)
		return false;
	size_t size = dwarf_cursor_left(&units->sections.lines) / 8 + 1;
	tables->tried = calloc(size, 1);
	tables->damaged = calloc(size, 1);
	return tables->tried != NULL && tables->damaged != NULL &&
	       dwarf_tree_read(&units->sections, &units->budget, &units->tree) && load_units(image, units, tables);
}

void line_units_load(const struct image *image, struct line_units *units)
{
	struct tables tables = {.tried = NULL};
	*units = (struct line_units){.budget = dwarf_budget_of(image->private->size)};
	if (!load(image, units, &tables))
		units->count = 0;
	free(tables.tried);
	free(tables.damaged);
}

void line_units_free(struct line_units *units)
{
	dwarf_sections_close(&units->sections);
	dwarf_tree_free(&units->tree);
	free(units->items);
}
