/* SPDX-License-Identifier: MIT */
/* See dwarf_lists.h. */
#include "firmware/dwarf_lists.h"

#include <dwarf.h>

/* Up to version 4: pairs of addresses, the last one 0 and 0. */
static uint64_t count_pairs(struct dwarf_cursor cursor, unsigned address_size)
{
	uint64_t count = 0;
	for (uint64_t low = 1, high = 1; (low != 0 || high != 0) && !cursor.is_cut; count++) {
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
	} while (kind != DW_RLE_end_of_list && !cursor.is_cut);
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
	return !cursor.is_cut;
}

uint64_t dwarf_count_ranges(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
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
