/* SPDX-License-Identifier: MIT */
/*
 * The units and entries of .debug_info, each visited once, in the order of the section. Private to firmware/.
 *
 * To find the next sibling of an entry, libdw walks over all entries within it and reads their attributes again, at
 * each level; that cannot be bounded from outside. So libdw reads only attributes, and only those of entries found
 * here.
 */
#ifndef FIRMWARE_DWARF_TREE_H
#define FIRMWARE_DWARF_TREE_H

#include "firmware/dwarf_sections.h"

#define DWARF_NONE SIZE_MAX

struct dwarf_unit {
	uint64_t first; /* offset of its own entry */
	uint64_t end;
	uint64_t abbreviations;
	unsigned version, address_size, offset_size;
	size_t first_function, function_end; /* indices of the tree's functions */
	bool has_files;                      /* libdw has read its line table, so its files have names */
};

/* A function with code, or an inlined call. */
struct dwarf_function {
	uint64_t offset;
	size_t parent; /* the enclosing function; DWARF_NONE: none */
	uint32_t cost; /* one reading of its attributes: their number and bytes */
	uint8_t depth; /* 1: directly in its unit */
	bool is_inlined;
};

struct dwarf_tree {
	struct dwarf_unit *units; /* sorted by offset */
	size_t unit_count;
	struct dwarf_function *functions; /* sorted by offset: parents come first */
	size_t function_count;
	uint8_t *starts; /* a bit for each byte of .debug_info: an entry begins there */
	uint64_t size;   /* size of .debug_info */
};

/* Reads the tree up to the first damage. False when out of memory or if the budget is exceeded. Very deeply nested
 * functions are skipped. */
bool dwarf_tree_read(const struct dwarf_sections *sections, struct dwarf_budget *budget, struct dwarf_tree *tree);
void dwarf_tree_free(struct dwarf_tree *tree);

/* Whether an entry begins at offset. */
bool dwarf_tree_has_entry(const struct dwarf_tree *tree, uint64_t offset);
/* The unit that contains offset; DWARF_NONE if there is none. O(log n). */
size_t dwarf_tree_unit_at(const struct dwarf_tree *tree, uint64_t offset);

/* Skips the value of an attribute (DWARF 5, 7.5.6); false if it is truncated or its form unknown. */
bool dwarf_skip_form(struct dwarf_cursor *cursor, uint64_t form, const struct dwarf_unit *unit);

#endif
