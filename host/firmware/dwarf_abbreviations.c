/* SPDX-License-Identifier: MIT */
/* See dwarf_abbreviations.h. */
#include "firmware/dwarf_abbreviations.h"

#include "base/array.h"

#include <dwarf.h>

/* Unknown forms are stored as 0, which is not a valid form. */
static bool read_attributes(struct dwarf_cursor *cursor, struct dwarf_abbreviations *table,
                            struct dwarf_abbreviation *abbreviation)
{
	for (;;) {
		uint64_t name = dwarf_read_leb128(cursor);
		uint64_t form = dwarf_read_leb128(cursor);
		if (form == DW_FORM_implicit_const)
			dwarf_read_leb128(cursor);
		if (cursor->is_cut || (name == 0 && form == 0))
			return true;
		abbreviation->has_code |= name == DW_AT_low_pc || name == DW_AT_ranges;
		abbreviation->form_count++;
		uint16_t known = (uint16_t)(form > UINT16_MAX ? 0 : form);
		if (!array_append(&table->forms, &table->form_count, &known, sizeof known))
			return false;
	}
}

/* libdw uses the first of several with the same code. */
static int compare(const void *left, const void *right)
{
	const struct dwarf_abbreviation *a = left, *b = right;
	if (a->code != b->code)
		return a->code < b->code ? -1 : 1;
	return (a->first_form > b->first_form) - (a->first_form < b->first_form);
}

static void sort(struct dwarf_abbreviations *table)
{
	size_t kept = 0;
	if (table->count > 0)
		qsort(table->items, table->count, sizeof *table->items, compare);
	for (size_t i = 0; i < table->count; i++)
		if (i == 0 || table->items[i].code != table->items[kept - 1].code)
			table->items[kept++] = table->items[i];
	table->count = kept;
}

bool dwarf_abbreviations_read(struct dwarf_cursor cursor, struct dwarf_abbreviations *table)
{
	const uint8_t *start = cursor.at;
	*table = (struct dwarf_abbreviations){.items = NULL};
	for (;;) {
		uint64_t code = dwarf_read_leb128(&cursor);
		if (code == 0 || code > UINT32_MAX)
			break;
		struct dwarf_abbreviation next = {.code = (uint32_t)code, .first_form = table->form_count};
		next.tag = (uint32_t)dwarf_read_leb128(&cursor);
		next.has_children = dwarf_read_number(&cursor, 1) != 0;
		if (!read_attributes(&cursor, table, &next))
			return false;
		if (cursor.is_cut)
			break;
		if (!array_append(&table->items, &table->count, &next, sizeof next))
			return false;
	}
	table->size = (uint64_t)(cursor.at - start);
	sort(table);
	return true;
}

void dwarf_abbreviations_free(struct dwarf_abbreviations *table)
{
	free(table->items);
	free(table->forms);
}

const struct dwarf_abbreviation *dwarf_abbreviation_find(const struct dwarf_abbreviations *table, uint64_t code)
{
	if (code == 0 || code > UINT32_MAX)
		return NULL;
	if (code <= table->count && table->items[code - 1].code == code)
		return &table->items[code - 1];
	size_t low = 0, high = table->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (table->items[middle].code < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < table->count && table->items[low].code == code ? &table->items[low] : NULL;
}

uint64_t dwarf_abbreviation_form(const struct dwarf_abbreviations *table, const struct dwarf_abbreviation *abbreviation,
                                 uint32_t attribute)
{
	size_t index = abbreviation->first_form + attribute;
	return index < table->form_count && table->forms != NULL ? table->forms[index] : 0;
}
