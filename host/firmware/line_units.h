/* SPDX-License-Identifier: MIT */
/* The line tables of the compilation units in an ELF, as libdw reads them, within bounds. Private to image/. */
#ifndef FIRMWARE_LINE_UNITS_H
#define FIRMWARE_LINE_UNITS_H

#include "firmware/dwarf_tree.h"

/*
 * Code that the linker threw away keeps its lines, at address 0 and up, and libdw sorts them in among those of the same
 * unit that live there. What a unit says of addresses below its dead_end is therefore not believed.
 */
struct line_unit {
	Dwarf_Die entry; /* of the unit */
	Dwarf_Lines *rows;
	size_t row_count;
	uint64_t dead_end;
	size_t unit; /* of the tree's units */
};

struct line_units {
	struct dwarf_sections sections; /* own the rows */
	struct dwarf_budget budget;
	struct dwarf_tree tree;
	struct line_unit *items;
	size_t count;
};

/*
 * Loads the units of image; all of *units is set, also where there is nothing to load. No other file is opened,
 * split units are left out. Time and memory are bounded by the size of the file: if the budget is exceeded nothing is
 * loaded.
 */
void line_units_load(const struct image *image, struct line_units *units);
void line_units_free(struct line_units *units);

#endif
