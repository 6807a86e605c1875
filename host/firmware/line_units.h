/* SPDX-License-Identifier: MIT */
/* The line tables of the compilation units, read by libdw within a budget. Private to firmware/. */
#ifndef FIRMWARE_LINE_UNITS_H
#define FIRMWARE_LINE_UNITS_H

#include "firmware/dwarf_tree.h"

/* The linker keeps the line rows of discarded code, starting at address 0, and libdw mixes them with rows of the same
 * unit for live code there. Rows below discarded_end are therefore ignored. */
struct line_unit {
	Dwarf_Die entry; /* entry of the unit */
	Dwarf_Lines *rows;
	size_t row_count;
	uint64_t discarded_end;
	size_t unit; /* index into the tree's units */
};

struct line_units {
	struct dwarf_sections sections; /* own the rows */
	struct dwarf_budget budget;
	struct dwarf_tree tree;
	struct line_unit *items;
	size_t count;
};

/* Loads the units of image and initialises *units, even if there are none. Opens no other file and skips split units.
 * Time and memory are bounded by the size of the file: nothing is loaded if the budget is exceeded. */
void line_units_load(const struct image *image, struct line_units *units);
/* The compilation folder of a unit's entry, owned by libdw; NULL: unknown. */
const char *line_unit_folder(const Dwarf_Die *unit);
void line_units_free(struct line_units *units);

#endif
