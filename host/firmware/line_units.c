/* SPDX-License-Identifier: MIT */
/* See line_units.h. */
#include "firmware/line_units.h"

#include "base/array.h"
#include "firmware/bits.h"
#include "firmware/private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* --- The cost of reading a line table by libdw (DWARF 5, 6.2.4). */

struct table {
	const struct dwarf_sections *sections;
	struct dwarf_budget *budget;
	struct dwarf_cursor cursor;
	struct dwarf_unit unit; /* the parameters for reading the table's forms */
	unsigned version;
	const uint8_t *program;
	uint64_t *folders; /* lengths of their names */
	size_t folder_count;
	uint64_t longest; /* length of the longest name of a folder */
};

/* libdw measures each folder's name, even repeated ones. */
static bool add_folder(struct table *table, uint64_t length)
{
	table->longest = length > table->longest ? length : table->longest;
	return dwarf_pay(table->budget, DWARF_FILES, length + 1) &&
	       array_append(&table->folders, &table->folder_count, &length, sizeof length);
}

static bool pay_for_file(struct table *table, uint64_t length, uint64_t folder)
{
	uint64_t folder_length = folder < table->folder_count ? table->folders[folder] : 0;

	return dwarf_pay(table->budget, DWARF_FILES, folder_length + length + 2);
}

/* Up to version 4: strings, the last one empty. */
static bool read_old_names(struct table *table, size_t folder_length)
{
	struct dwarf_cursor *cursor = &table->cursor;

	if (!add_folder(table, folder_length))
		return false;
	for (size_t length; (length = dwarf_skip_string(cursor)) > 0;)
		if (!add_folder(table, length))
			return false;
	for (size_t length; (length = dwarf_skip_string(cursor)) > 0;) {
		uint64_t folder = dwarf_read_leb128(cursor);

		dwarf_read_leb128(cursor);
		dwarf_read_leb128(cursor);
		if (!pay_for_file(table, length, folder))
			return false;
	}
	return !cursor->is_truncated;
}

struct description {
	uint64_t content, form;
};

static uint64_t string_length(const struct table *table, struct dwarf_cursor cursor, uint64_t form)
{
	const struct dwarf_cursor *strings =
	        form == DW_FORM_line_strp ? &table->sections->line_strings : &table->sections->strings;

	if (form == DW_FORM_line_strp || form == DW_FORM_strp)
		cursor = dwarf_cursor_at(strings, dwarf_read_number(&cursor, table->unit.offset_size));
	return dwarf_skip_string(&cursor);
}

/* Numbers of folders have, apart from LEB128, only forms of one or two bytes (DWARF 5, 6.2.4.1). */
static uint64_t folder_number(struct dwarf_cursor cursor, uint64_t form)
{
	if (form == DW_FORM_udata)
		return dwarf_read_leb128(&cursor);
	return dwarf_read_number(&cursor, form == DW_FORM_data1 ? 1 : 2);
}

static bool is_known_description(const struct description *description)
{
	uint64_t form = description->form;

	if (description->content == DW_LNCT_path)
		return form == DW_FORM_string || form == DW_FORM_strp || form == DW_FORM_line_strp;
	return description->content != DW_LNCT_directory_index || form == DW_FORM_udata || form == DW_FORM_data1 ||
	       form == DW_FORM_data2;
}

/* Reads the formats of entries, at most 255. False if one is unknown. */
static bool read_descriptions(struct table *table, struct description *descriptions, unsigned *count)
{
	*count = (unsigned)dwarf_read_number(&table->cursor, 1);
	for (unsigned i = 0; i < *count; i++) {
		descriptions[i].content = dwarf_read_leb128(&table->cursor);
		descriptions[i].form = dwarf_read_leb128(&table->cursor);
		if (!is_known_description(&descriptions[i]))
			return false;
	}
	return !table->cursor.is_truncated;
}

/* Version 5: folders or files, each in the described format. */
static bool read_names(struct table *table, bool are_files)
{
	struct description descriptions[256];
	unsigned description_count;

	if (!read_descriptions(table, descriptions, &description_count))
		return false;
	uint64_t count = dwarf_read_leb128(&table->cursor);
	if (count > 0 && (description_count == 0 || count > dwarf_cursor_left(&table->cursor) / description_count))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t length = 0, folder = 0;

		for (unsigned j = 0; j < description_count; j++) {
			uint64_t form = descriptions[j].form;

			if (descriptions[j].content == DW_LNCT_path)
				length = string_length(table, table->cursor, form);
			else if (descriptions[j].content == DW_LNCT_directory_index)
				folder = folder_number(table->cursor, form);
			if (!dwarf_skip_form(&table->cursor, form, &table->unit))
				return false;
		}
		if (!(are_files ? pay_for_file(table, length, folder) : add_folder(table, length)))
			return false;
	}
	return true;
}

/* Reads the header up to the names; ends the cursor at the table's end. */
static bool read_line_header(struct table *table)
{
	struct dwarf_cursor *cursor = &table->cursor;

	dwarf_read_length(cursor, &table->unit.offset_size);
	table->version = (unsigned)dwarf_read_number(cursor, 2);
	dwarf_skip(cursor, table->version >= 5 ? 2 : 0);
	uint64_t header_length = dwarf_read_number(cursor, table->unit.offset_size);
	struct dwarf_cursor program = *cursor;
	dwarf_skip(&program, header_length);
	table->program = program.at;
	dwarf_skip(cursor, table->version >= 4 ? 5 : 4);
	unsigned opcode_base = (unsigned)dwarf_read_number(cursor, 1);
	dwarf_skip(cursor, opcode_base == 0 ? 0 : opcode_base - 1);
	return !program.is_truncated && !cursor->is_truncated && opcode_base > 0 && table->version >= 2 &&
	       table->version <= 5;
}

/* DW_LNE_define_file adds a file in the middle of the program. Any bytes that look like this operation are charged with
 * the longest folder; few programs contain any. */
static bool pay_for_defined_files(struct table *table)
{
	uint64_t count = 0;

	for (const uint8_t *at = table->program; table->cursor.end - at >= 3; at++)
		count += at[0] == 0 && at[2] == DW_LNE_define_file;
	return dwarf_pay(table->budget, DWARF_FILES, count * (table->longest + 2));
}

static bool pay_for_names(struct table *table, size_t folder_length)
{
	table->unit.version = table->version;
	bool is_read = table->version < 5 ? read_old_names(table, folder_length)
	                                  : read_names(table, false) && read_names(table, true);
	return is_read && pay_for_defined_files(table);
}

/*
 * Pays for the table at offset: its bytes, each of which may be a row, and its file names, because libdw joins each
 * with its folder in a new copy. folder_length: the length of the compilation folder's name. False if the budget is
 * exceeded, if the header is damaged, or when out of memory.
 */
static bool pay_for_table(const struct dwarf_sections *sections, struct dwarf_budget *budget,
                          const struct dwarf_unit *unit, uint64_t offset, size_t folder_length)
{
	struct table table = {
	        .sections = sections,
	        .budget = budget,
	        .cursor = dwarf_cursor_at(&sections->lines, offset),
	        .unit = *unit,
	};
	const uint8_t *start = table.cursor.at;
	bool is_paid = read_line_header(&table) &&
	               dwarf_pay(budget, DWARF_LINES, (uint64_t)(table.cursor.end - start)) &&
	               pay_for_names(&table, folder_length);

	free(table.folders);
	return is_paid;
}

/* --- Units. */

/* Whether [0, end) of a unit is live code, not discarded by the linker: a function starts at 0 and one ends at end. */
static bool is_live_at_zero(const struct image *image, uint64_t end)
{
	const struct image_function *first = image_sized_function_at(image, 0);
	const struct image_function *last = image_sized_function_at(image, end - 1);

	return first != NULL && first->start == 0 && last != NULL && last->end == end;
}

static uint64_t discarded_end_of_entry(const struct image *image, Dwarf_Die *entry)
{
	Dwarf_Addr low = 0;
	Dwarf_Addr high = 0;

	if (dwarf_lowpc(entry, &low) != 0 || low != 0 || dwarf_highpc(entry, &high) != 0 || high == 0)
		return 0;
	return is_live_at_zero(image, high) ? 0 : high;
}

/* Considers the unit itself (assembly has no other entries) and its top-level functions. */
static uint64_t discarded_end_of_unit(const struct image *image, const struct line_units *units, struct line_unit *unit)
{
	const struct dwarf_unit *node = &units->tree.units[unit->unit];
	uint64_t discarded_end = discarded_end_of_entry(image, &unit->entry);

	for (size_t i = node->first_function; i < node->function_end; i++) {
		const struct dwarf_function *function = &units->tree.functions[i];
		Dwarf_Die entry;

		if (function->depth != 1 || function->is_inlined ||
		    dwarf_offdie(units->sections.dwarf, function->offset, &entry) == NULL)
			continue;
		uint64_t end = discarded_end_of_entry(image, &entry);
		discarded_end = end > discarded_end ? end : discarded_end;
	}
	return discarded_end;
}

/* Finds the unit's table in .debug_line. False if it has none, or is only the skeleton of a unit in another file. */
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

const char *line_unit_folder(const Dwarf_Die *unit)
{
	Dwarf_Die entry = *unit;
	Dwarf_Attribute attribute;

	return dwarf_attr(&entry, DW_AT_comp_dir, &attribute) == NULL ? NULL : dwarf_formstring(&attribute);
}

/* Offsets in .debug_line of tables already tried and of tables that libdw cannot read. Several units may share a table,
 * and libdw caches only readable ones. */
struct tables {
	uint8_t *tried, *damaged;
};

/* Loads the rows of a unit; false if it has none. */
static bool load_rows(struct line_units *units, struct tables *tables, struct line_unit *unit)
{
	struct dwarf_unit *node = &units->tree.units[unit->unit];
	uint64_t offset;

	if (!table_offset(&unit->entry, &offset) || offset >= dwarf_cursor_left(&units->sections.lines) ||
	    has_bit(tables->damaged, offset))
		return false;
	const char *folder = line_unit_folder(&unit->entry);
	bool is_new = !has_bit(tables->tried, offset);
	set_bit(tables->tried, offset);
	node->has_files = (!is_new || pay_for_table(&units->sections, &units->budget, node, offset,
	                                            folder == NULL ? 0 : strlen(folder))) &&
	                  dwarf_getsrclines(&unit->entry, &unit->rows, &unit->row_count) == 0;
	if (!node->has_files)
		set_bit(tables->damaged, offset);
	return node->has_files && unit->row_count > 0;
}

/* False when out of memory or if the budget is exceeded. */
static bool load_units(const struct image *image, struct line_units *units, struct tables *tables)
{
	for (size_t i = 0; i < units->tree.unit_count && units->budget.exceeded == NULL; i++) {
		struct line_unit unit = {.unit = i};

		if (dwarf_offdie(units->sections.dwarf, units->tree.units[i].first, &unit.entry) == NULL ||
		    !load_rows(units, tables, &unit))
			continue;
		unit.discarded_end = discarded_end_of_unit(image, units, &unit);
		if (!array_append(&units->items, &units->count, &unit, sizeof unit))
			return false;
	}
	return units->budget.exceeded == NULL;
}

static bool load_line_units(const struct image *image, struct line_units *units, struct tables *tables)
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
	if (!load_line_units(image, units, &tables))
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
