/* SPDX-License-Identifier: MIT */
/* Limits on the work that the DWARF of an ELF can cause, in proportion to the file size (docs/DESIGN.md, "DWARF is read
 * within a budget"). Private to firmware/. */
#ifndef FIRMWARE_DWARF_BUDGET_H
#define FIRMWARE_DWARF_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dwarf_cost {
	DWARF_EXPANSION,     /* bytes of debug sections, decompressed */
	DWARF_UNITS,         /* units of .debug_info */
	DWARF_ABBREVIATIONS, /* bytes of .debug_abbrev, counted for each unit: libdw reads them again for each */
	DWARF_ATTRIBUTES,    /* attributes of all entries */
	DWARF_FUNCTIONS,     /* entries of functions, inlined ones included */
	DWARF_RANGES,        /* entries of range lists, counted for each function that uses the list */
	DWARF_LINES,         /* bytes of line tables */
	DWARF_FILES,         /* bytes of file names, folders included, as libdw joins them */
	DWARF_COSTS,
};

struct dwarf_budget {
	uint64_t left[DWARF_COSTS];
	const char *exceeded; /* the limit that was exceeded, as a clause about the file; NULL: none */
};

struct dwarf_budget dwarf_budget_of(size_t file_size);

/* False if the rest of the budget is too small; then exceeded is set and all later payments fail. */
bool dwarf_pay(struct dwarf_budget *budget, enum dwarf_cost kind, uint64_t cost);

#endif
