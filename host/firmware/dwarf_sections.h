/* SPDX-License-Identifier: MIT */
/* The debug sections of an ELF, decompressed, for the readers in this folder. Private to firmware/. */
#ifndef FIRMWARE_DWARF_SECTIONS_H
#define FIRMWARE_DWARF_SECTIONS_H

#include "firmware/dwarf_budget.h"
#include "firmware/dwarf_cursor.h"
#include "firmware/image.h"

#include <elfutils/libdw.h>

struct dwarf_sections {
	Dwarf *dwarf; /* owns the bytes; NULL: no DWARF that may be read */
	struct dwarf_cursor entries, abbreviations, lines, strings, line_strings, ranges, range_lists, frames;
};

/* Sets all of *sections. No other file is opened, even if the DWARF names one: this file counts as its own alternate
 * file. */
void dwarf_sections_open(const struct image *image, struct dwarf_budget *budget, struct dwarf_sections *sections);
void dwarf_sections_close(struct dwarf_sections *sections);

#endif
