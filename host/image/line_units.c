/* SPDX-License-Identifier: MIT */
/* See line_units.h. */
#include "image/line_units.h"

#include "array/grown.h"
#include "image/private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Compressed debug sections are mostly a third of what they hold; zlib can do a thousandth. */
#define EXPANSION_MAX 32u

/* How large section becomes when libdw has decompressed it. */
static uint64_t expanded_size(const struct image *image, size_t index)
{
	const struct image_section *section = &image->private->sections[index];
	Elf_Scn *scn = elf_getscn(image->private->elf, index);
	GElf_Chdr header;
	if ((section->flags & SHF_COMPRESSED) != 0)
		return gelf_getchdr(scn, &header) != NULL ? header.ch_size : UINT64_MAX;
	/* Before SHF_COMPRESSED: "ZLIB", then the size, big-endian. */
	if (strncmp(section->name, ".zdebug", 7) != 0 || section->size < 12)
		return section->size;
	uint64_t size = 0;
	for (size_t i = 4; i < 12; i++)
		size = size << 8 | image->private->bytes[section->offset + i];
	return size;
}

static bool is_debug_section(const struct image_section *section)
{
	return section->type != SHT_NOBITS && section->type != SHT_NULL &&
	       (strncmp(section->name, ".debug", 6) == 0 || strncmp(section->name, ".zdebug", 7) == 0);
}

static bool is_line_section(const struct image_section *section)
{
	return strcmp(section->name, ".debug_line") == 0 || strcmp(section->name, ".zdebug_line") == 0;
}

/* Adds up what libdw would have to hold. False if that is out of proportion to the file. */
static bool fits_memory(const struct image *image, uint64_t *line_size, uint64_t *debug_size)
{
	uint64_t budget = (uint64_t)image->private->size * EXPANSION_MAX;
	*line_size = *debug_size = 0;
	for (size_t i = 1; i < image->private->section_count; i++) {
		const struct image_section *section = &image->private->sections[i];
		if (!is_debug_section(section))
			continue;
		uint64_t size = expanded_size(image, i);
		if (size > budget)
			return false;
		budget -= size;
		*debug_size += size;
		if (is_line_section(section))
			*line_size += size;
	}
	return true;
}

/* Whether [0, end) of a unit is code in the firmware: a function begins at 0 and one ends at end. */
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

/* The unit itself (assembly has no other entries) and the functions directly in it. */
static uint64_t dead_end_of_unit(const struct image *image, Dwarf_Die *unit)
{
	uint64_t dead_end = dead_end_of_entry(image, unit);
	Dwarf_Die entry;
	Dwarf_Off offset = 0;
	bool more = dwarf_child(unit, &entry) == 0;
	/* A sibling that does not lie behind its brother would make this a ring. */
	while (more && dwarf_dieoffset(&entry) > offset) {
		offset = dwarf_dieoffset(&entry);
		uint64_t end = dwarf_tag(&entry) == DW_TAG_subprogram ? dead_end_of_entry(image, &entry) : 0;
		dead_end = end > dead_end ? end : dead_end;
		more = dwarf_siblingof(&entry, &entry) == 0;
	}
	return dead_end;
}

static bool append(struct line_units *units, struct line_unit unit)
{
	struct line_unit *items = grown(units->items, sizeof *items, units->count);
	if (items == NULL)
		return false;
	units->items = items;
	units->items[units->count++] = unit;
	return true;
}

/* Where the unit's table lies in .debug_line. False: it has none, or it is a part of another file's unit. */
static bool table_offset(Dwarf_Die *unit, uint8_t type, uint64_t *offset)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	if (type == DW_UT_skeleton || type == DW_UT_split_compile || dwarf_hasattr(unit, DW_AT_GNU_dwo_name) ||
	    dwarf_hasattr(unit, DW_AT_dwo_name))
		return false;
	if (dwarf_attr(unit, DW_AT_stmt_list, &attribute) == NULL || dwarf_formudata(&attribute, &value) != 0)
		return false;
	*offset = value;
	return true;
}

/*
 * Tables that lie side by side have at most one row per byte of the section. More rows than that come of tables that
 * lie one in another, each as long as the rest of the section: then it is enough. A table that cannot be read may have
 * cost as much as the rest of the section. seen has a bit for each offset at which a table was read: that several units
 * have one table is normal and costs nothing.
 */
struct budget {
	uint64_t line_size;
	uint64_t rows_left;
	uint8_t *seen;
};

static bool pay(struct budget *budget, uint64_t rows)
{
	bool enough = rows <= budget->rows_left;
	budget->rows_left -= enough ? rows : budget->rows_left;
	return enough;
}

static bool pay_once(struct budget *budget, uint64_t offset, uint64_t rows)
{
	bool paid = (budget->seen[offset / 8] >> offset % 8 & 1) != 0;
	budget->seen[offset / 8] |= (uint8_t)(1u << offset % 8);
	return paid || pay(budget, rows);
}

/* False: it is enough. */
static bool load_unit(const struct image *image, struct line_units *units, Dwarf_Die *entry, uint8_t type,
                      struct budget *budget)
{
	struct line_unit unit = {.entry = *entry};
	uint64_t offset;
	if (!table_offset(entry, type, &offset) || offset >= budget->line_size)
		return true;
	if (dwarf_getsrclines(entry, &unit.rows, &unit.row_count) != 0)
		return pay(budget, budget->line_size - offset);
	if (unit.row_count == 0)
		return true;
	unit.dead_end = dead_end_of_unit(image, entry);
	return pay_once(budget, offset, unit.row_count) && append(units, unit);
}

static void load_units(const struct image *image, struct line_units *units, struct budget *budget)
{
	uint8_t type;
	Dwarf_CU *cursor = NULL;
	Dwarf_Die entry;
	while (dwarf_get_units(units->dwarf, cursor, &cursor, NULL, &type, &entry, NULL) == 0)
		if (!load_unit(image, units, &entry, type, budget))
			return;
}

void line_units_load(const struct image *image, struct line_units *units)
{
	struct budget budget;
	*units = (struct line_units){.dwarf = NULL};
	if (!fits_memory(image, &budget.line_size, &units->debug_size))
		return;
	budget.rows_left = 2 * budget.line_size;
	budget.seen = calloc(budget.line_size / 8 + 1, 1);
	units->dwarf = budget.seen == NULL ? NULL : dwarf_begin_elf(image->private->elf, DWARF_C_READ, NULL);
	if (units->dwarf != NULL) {
		/* Asked for the alternate file, libdw would open whatever path the ELF names. */
		dwarf_setalt(units->dwarf, units->dwarf);
		load_units(image, units, &budget);
	}
	free(budget.seen);
}

bool image_lines_are_unreadable(const struct image *image)
{
	const struct line_units *units = image_line_units(image);
	bool is_there = false;
	for (size_t i = 1; i < image->private->section_count; i++) {
		const struct image_section *section = &image->private->sections[i];
		is_there |= is_debug_section(section) && is_line_section(section) && section->size > 0;
	}
	return is_there && units != NULL && units->count == 0;
}

void line_units_free(struct line_units *units)
{
	dwarf_end(units->dwarf);
	free(units->items);
}
