/* SPDX-License-Identifier: MIT */
/* See dwarf_tables.h. */
#include "firmware/dwarf_tables.h"

#include "base/array.h"
#include "firmware/dwarf_forms.h"

#include <dwarf.h>
#include <stdlib.h>

struct table {
	const struct dwarf_sections *sections;
	struct dwarf_budget *budget;
	struct dwarf_cursor cursor;
	struct dwarf_unit unit; /* the parameters for reading the table's forms */
	unsigned version;
	const uint8_t *program;
	uint64_t *folders; /* their lengths */
	size_t folder_count;
	uint64_t longest; /* of the folders */
};

/* libdw measures each folder's name, even repeated ones. */
static bool add_folder(struct table *table, uint64_t length)
{
	table->longest = length > table->longest ? length : table->longest;
	return dwarf_pay(table->budget, DWARF_FILES, length + 1) &&
	       array_append(&table->folders, &table->folder_count, &length, sizeof length);
}

static bool add_file(struct table *table, uint64_t length, uint64_t folder)
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
		if (!add_file(table, length, folder))
			return false;
	}
	return !cursor->is_cut;
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
static uint64_t number_at(struct dwarf_cursor cursor, uint64_t form)
{
	if (form == DW_FORM_udata)
		return dwarf_read_leb128(&cursor);
	return dwarf_read_number(&cursor, form == DW_FORM_data1 ? 1 : 2);
}

static bool is_known(const struct description *description)
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
		if (!is_known(&descriptions[i]))
			return false;
	}
	return !table->cursor.is_cut;
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
				folder = number_at(table->cursor, form);
			if (!dwarf_skip_form(&table->cursor, form, &table->unit))
				return false;
		}
		if (!(are_files ? add_file(table, length, folder) : add_folder(table, length)))
			return false;
	}
	return true;
}

/* Reads the header up to the names; ends the cursor at the table's end. */
static bool read_header(struct table *table)
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
	return !program.is_cut && !cursor->is_cut && opcode_base > 0 && table->version >= 2 && table->version <= 5;
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

bool dwarf_pay_table(const struct dwarf_sections *sections, struct dwarf_budget *budget, const struct dwarf_unit *unit,
                     uint64_t offset, size_t folder_length)
{
	struct table table = {
	        .sections = sections,
	        .budget = budget,
	        .cursor = dwarf_cursor_at(&sections->lines, offset),
	        .unit = *unit,
	};
	const uint8_t *start = table.cursor.at;
	bool is_paid = read_header(&table) && dwarf_pay(budget, DWARF_LINES, (uint64_t)(table.cursor.end - start)) &&
	               pay_for_names(&table, folder_length);
	free(table.folders);
	return is_paid;
}
