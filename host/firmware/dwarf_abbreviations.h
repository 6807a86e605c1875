/* SPDX-License-Identifier: MIT */
/* Tables of .debug_abbrev (DWARF 5, 7.5.3): the layouts of entries. Private to firmware/. */
#ifndef FIRMWARE_DWARF_ABBREVIATIONS_H
#define FIRMWARE_DWARF_ABBREVIATIONS_H

#include "firmware/dwarf_cursor.h"

struct dwarf_abbreviation {
	uint32_t code, tag;
	bool has_children;
	bool has_code;     /* DW_AT_low_pc or DW_AT_ranges */
	size_t first_form; /* of the table's forms */
	uint32_t form_count;
};

struct dwarf_abbreviations {
	struct dwarf_abbreviation *items; /* in ascending order of code, each code once */
	size_t count;
	uint16_t *forms;
	size_t form_count;
	uint64_t size; /* in bytes of the section */
};

/* Reads the table at cursor up to the first damage; false when out of memory. */
bool dwarf_abbreviations_read(struct dwarf_cursor cursor, struct dwarf_abbreviations *table);
void dwarf_abbreviations_free(struct dwarf_abbreviations *table);

/* NULL: the table has no such code. O(log n); O(1) for the codes that compilers generate. */
const struct dwarf_abbreviation *dwarf_abbreviation_find(const struct dwarf_abbreviations *table, uint64_t code);
/* The form of one of its attributes; 0: unknown. */
uint64_t dwarf_abbreviation_form(const struct dwarf_abbreviations *table, const struct dwarf_abbreviation *abbreviation,
                                 uint32_t attribute);

#endif
