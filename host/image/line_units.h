/* SPDX-License-Identifier: MIT */
/* The line tables of the compilation units in an ELF, as libdw reads them, within bounds. Private to image/. */
#ifndef IMAGE_LINE_UNITS_H
#define IMAGE_LINE_UNITS_H

#include "image/image.h"

#include <elfutils/libdw.h>

/*
 * Code that the linker threw away keeps its lines, at address 0 and up, and libdw sorts them in among those of the same
 * unit that live there. What a unit says of addresses below its dead_end is therefore not believed.
 */
struct line_unit {
	Dwarf_Die entry; /* of the unit */
	Dwarf_Lines *rows;
	size_t row_count;
	uint64_t dead_end;
};

struct line_units {
	Dwarf *dwarf; /* owns the rows; NULL if there is no DWARF that may be read */
	struct line_unit *items;
	size_t count;
	uint64_t debug_size; /* of all debug sections, decompressed */
};

/*
 * Loads the units of image; all of *units is set, also where there is nothing to load. No other file is opened,
 * whatever the DWARF names: an alternate file is taken to be this one, split units are left out. Time and memory are
 * bounded by the size of the debug sections: what the tables hold beyond that is left out.
 */
void line_units_load(const struct image *image, struct line_units *units);
void line_units_free(struct line_units *units);

#endif
