/* SPDX-License-Identifier: MIT */
/* Names and source positions of functions in DWARF, including those that an entry takes from another entry. Private to
 * firmware/. */
#ifndef FIRMWARE_DEFINITIONS_H
#define FIRMWARE_DEFINITIONS_H

#include "firmware/line_units.h"

/* Strings are owned by libdw. NULL and 0: not stated. */
struct definition {
	const char *linkage_name, *name;
	const char *file;
	int line; /* the line of the definition in file */
	bool is_external;
	const char *call_file; /* the place of an inlined call */
	int call_line;
};

struct definitions {
	struct line_units *units;
	void *known; /* a search tree of the entries that others refer to */
};

/* Reads the entry at offset and the entries it refers to. Each of these is read once, and only entries of the tree are
 * followed. False when out of memory. */
bool definition_read(struct definitions *definitions, uint64_t offset, struct definition *definition);
void definitions_free(struct definitions *definitions);

#endif
